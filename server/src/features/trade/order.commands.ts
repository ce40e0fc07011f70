import type { MessageData, MessageRefusal } from '@aisle/contract/device/messages'
import { slotState } from '@aisle/contract/fleet/states'
import { itemState, NO_ANSWER_AFTER_MS, paymentState } from '@aisle/contract/trade/states'
import { businessTime } from '../../kernel/businessDay'
import type { AuthKeys, Tx } from '../../kernel/context'
import { findFollowLinks, followFor } from '../fleet/public'
import { commitmentsOf } from '../lottery/public'
import { findOffers } from '../payment/public'
import { shipOrDraw } from './draw'
import { askedFen, businessTypeOf as typeOf, keptCode, orderRefusal } from './order.rules'
import { findSlots, type SlotRef, slotKey } from '../stock/public'
import {
  findItems,
  freeNumbers,
  insertItems,
  insertOrders,
  lockByNumbers,
  type NewItem,
  type NewOrder,
  takeNumbers,
} from './order.store'
import { type Ask, type Held, hold } from './tender'
import {
  type Drawn,
  type ItemRow,
  type OrderRow,
  orderNoOf,
  type PaidSale,
  type Reported,
  type ToShip,
} from './trade.types'

/** `msgId`: of the request, under which its answer goes back. */
export type OrderRequest = Reported<MessageData<'order.request'>> & { msgId: string }

/** `play`: the hash that the draw of a play is bound to, and its odds. `isOffered`: a channel takes the money. */
export type Quote =
  | {
      amountFen: number
      expiresAt: Date
      isPaid: boolean
      isOffered?: true
      payUrl?: string
      play?: { seedHash: string; oddsPermille: number }
      follow?: { name: string; url: string }
    }
  | { refused: MessageRefusal }
type Opened = { request: OrderRequest; order: NewOrder & { id: number }; slots: SlotRef[] }

/**
 * Prices what customers chose and opens their orders: unpaid ones, and paid ones where a code or a card pays. Asking
 * again with the same number and slots gives the same answer. The transaction must end with `bookPaid`.
 * @returns a quote for each request, in the same order
 */
export async function requestOrders(
  tx: Tx,
  requests: readonly OrderRequest[],
  keys: AuthKeys,
): Promise<{ quotes: Quote[]; paid: PaidSale[]; toShip: ToShip[]; drawn: Drawn[] }> {
  const [first] = requests
  if (!first) return { quotes: [], paid: [], toShip: [], drawn: [] }
  const slots = await findSlots(
    tx,
    requests.flatMap((request) =>
      request.data.items.map((item) => ({ machineId: request.machine.id, code: item.slot })),
    ),
  )
  const read = requests.map((request) => readSlots(request, slots))
  const wanted = requests.map((request, i) => newOrder(request, read[i] ?? []))
  const able = requests.map((request, i) => refusalOf(request, read[i] ?? []))
  const free = wanted.filter((_, i) => able[i] === null)
  const numbers = await takeNumbers(tx, distinct(free))
  const known = await lockByNumbers(
    tx,
    free.map((order) => order.orderNo),
  )
  const items = await findItems(tx, [...known.values()])
  const fresh = new Map<string, Opened>()
  requests.forEach((request, i) => {
    const [order, reason] = [wanted[i], able[i]]
    const id = order && numbers.get(order.orderNo)
    if (reason !== null || !order || id === undefined || fresh.has(order.orderNo)) return
    const chosen = (read[i] ?? []).flatMap((slot) => slot ?? [])
    fresh.set(order.orderNo, { request, order: { ...order, id }, slots: chosen })
  })
  const held = await hold(tx, [...fresh.values()].map(askOf), keys)
  await open(tx, [...fresh.values()], held)
  const quotes = requests.map((request, i): Quote => {
    const [order, reason] = [wanted[i], able[i]]
    if (reason || !order) return { refused: reason ?? 'unknownSlot' }
    const opened = fresh.get(order.orderNo)
    if (!opened) return quoteAgain(request, askedBefore(known.get(order.orderNo), items))
    if (opened.request !== request) return quoteAgain(request, askedIn(opened, held.get(opened.order.id)))
    return quoteOf(opened, held.get(opened.order.id))
  })
  const opened = [...fresh.values()].filter(({ order }) => isPaid(held.get(order.id)))
  const paid = opened.map(paidSale)
  const drawn = await shipOrDraw(tx, keys, { paid, ships: opened.map(toShipOf), at: first.receivedAt })
  const offered = await withOffers(tx, requests, await withCommitments(tx, requests, quotes))
  return { quotes: await withFollows(tx, requests, offered), paid, ...drawn }
}

/** Where a channel takes the money, the machine waits for what is to be scanned; who asks again may have it at once. */
async function withOffers(tx: Tx, requests: readonly OrderRequest[], quotes: readonly Quote[]): Promise<Quote[]> {
  const numbers = requests.map(({ machine, data }) => orderNoOf(machine.code, data.orderNo))
  const offers = await findOffers(
    tx,
    numbers.filter((_, i) => isToPay(quotes[i])),
  )
  return quotes.map((quote, i) => {
    const payUrl = offers.get(numbers[i] ?? '')
    if (payUrl === undefined || 'refused' in quote || quote.isPaid) return quote
    return { ...quote, isOffered: true, ...(payUrl ? { payUrl } : {}) }
  })
}

/** Where customers are to follow an account before they buy, the machine shows them where. */
async function withFollows(tx: Tx, requests: readonly OrderRequest[], quotes: readonly Quote[]): Promise<Quote[]> {
  const toPay = requests.filter((_, i) => isToPay(quotes[i]))
  const links = await findFollowLinks(
    tx,
    toPay.map(({ machine }) => machine.id),
  )
  return quotes.map((quote, i) => {
    const request = requests[i]
    if (!request || 'refused' in quote || quote.isPaid) return quote
    const follow = followFor(links.get(request.machine.id) ?? [], request.data.method, request.machine.code)
    return follow ? { ...quote, follow } : quote
  })
}

const isToPay = (quote: Quote | undefined): boolean => quote !== undefined && !('refused' in quote) && !quote.isPaid

/** What a draw is bound to is told before anybody has paid for it. */
async function withCommitments(tx: Tx, requests: readonly OrderRequest[], quotes: readonly Quote[]): Promise<Quote[]> {
  const plays = requests.filter(({ data }) => data.isPlay)
  if (plays.length === 0) return [...quotes]
  const numberOf = ({ machine, data }: OrderRequest) => orderNoOf(machine.code, data.orderNo)
  const commitments = await commitmentsOf(tx, plays.map(numberOf))
  return quotes.map((quote, i) => {
    const request = requests[i]
    const play = request?.data.isPlay ? commitments.get(numberOf(request)) : undefined
    return play && !('refused' in quote) ? { ...quote, play } : quote
  })
}

const isPaid = (held: Held | undefined): boolean => held?.refused === null && held.isPaid

function quoteOf({ order }: Opened, held: Held | undefined): Quote {
  if (held?.refused) return { refused: held.refused }
  return { amountFen: order.totalFen, expiresAt: expiryOf(order.receivedAt), isPaid: isPaid(held) }
}

const askOf = ({ request, order, slots }: Opened): Ask => ({
  orderId: order.id,
  orderNo: order.orderNo,
  msgId: request.msgId,
  machine: request.machine,
  method: request.data.method,
  code: request.data.code ?? null,
  prescription: request.data.prescription ?? null,
  isPlay: request.data.isPlay ?? false,
  amountFen: order.totalFen,
  items: slots.map((slot) => ({
    placeId: slot.place_id,
    productId: slot.product_id ?? 0,
    medicineClass: slot.medicine_class,
    slotCode: slot.code,
    listPriceFen: slot.price_fen ?? 0,
    priceFen: askedFen(order, slot, request.machine),
  })),
  at: order.occurredAt,
  receivedAt: order.receivedAt,
  businessDay: order.businessDay,
  expiresAt: expiryOf(order.receivedAt),
})

/** What is refused leaves nothing: its number is free again. */
async function open(tx: Tx, all: readonly Opened[], held: ReadonlyMap<number, Held>): Promise<void> {
  const kept = all.filter(({ order }) => held.get(order.id)?.refused === null)
  await freeNumbers(
    tx,
    all.filter((each) => !kept.includes(each)).map(({ order }) => order.id),
  )
  await insertOrders(
    tx,
    kept.map(({ order }) =>
      isPaid(held.get(order.id))
        ? { ...order, paymentState: paymentState.to('pay'), paidFen: order.totalFen, paidAt: order.occurredAt }
        : order,
    ),
  )
  await insertItems(
    tx,
    kept.flatMap((opened) => opened.slots.map((slot, i) => waitingItem(opened, slot, i))),
  )
}

const paidSale = ({ request, order, slots }: Opened): PaidSale => ({
  orderId: order.id,
  machine: request.machine,
  pointId: order.pointId,
  method: request.data.method,
  businessType: businessTypeOf(request, slots),
  paidFen: order.totalFen,
  discountFen: order.discountFen,
  occurredAt: order.occurredAt,
  businessDay: order.businessDay,
  isOffline: order.isOffline,
  items: slots.map((slot) => ({
    productId: slot.product_id ?? 0,
    priceFen: askedFen(order, slot, request.machine),
    costFen: slot.cost_fen ?? 0,
  })),
})

const toShipOf = ({ request, order, slots }: Opened): ToShip => ({
  machine: request.machine,
  machineOrderNo: order.machineOrderNo,
  orderNo: order.orderNo,
  items: slots.map((slot, index) => ({ index, slot: slot.code })),
})

const businessTypeOf = ({ data }: OrderRequest, slots: readonly SlotRef[]) =>
  typeOf(
    data,
    slots.map((slot) => slot.medicine_class),
  )

const readSlots = (request: OrderRequest, slots: Map<string, SlotRef>): (SlotRef | undefined)[] =>
  request.data.items.map((item) => slots.get(slotKey(request.machine.id, item.slot)))

function refusalOf(request: OrderRequest, slots: readonly (SlotRef | undefined)[]): MessageRefusal | null {
  if (slots.some((slot) => slot === undefined)) return 'unknownSlot'
  const states = slots.flatMap((slot, i) =>
    slot
      ? {
          state: slotState({
            ...slot,
            stock: slot.stock - countOf(slot, slots.slice(0, i)),
            priceFen: slot.price_fen,
            hasProduct: slot.product_id !== null,
            isLocked: slot.is_locked,
          }),
          medicineClass: slot.medicine_class,
        }
      : [],
  )
  return orderRefusal(request.machine, request.data, states)
}

/** How many pieces of a slot the items before have taken. */
const countOf = (slot: SlotRef, before: readonly (SlotRef | undefined)[]) =>
  before.filter((each) => each === slot).length

function newOrder(request: OrderRequest, slots: readonly (SlotRef | undefined)[]): NewOrder {
  const { machine, data, occurredAt, receivedAt } = request
  return {
    orderNo: orderNoOf(machine.code, data.orderNo),
    machineOrderNo: data.orderNo,
    merchantId: machine.merchantId,
    machineId: machine.id,
    pointId: machine.pointId,
    businessType: businessTypeOf(
      request,
      slots.flatMap((slot) => slot ?? []),
    ),
    method: data.method,
    tenderCode: keptCode(data),
    prescriptionCode: data.prescription ?? null,
    isLottery: data.isPlay ?? false,
    paymentState: paymentState.initial,
    shipState: 'in_transit',
    orderState: 'open',
    problem: null,
    isOffline: false,
    itemCount: data.items.length,
    totalFen: slots.reduce(
      (sum, slot) =>
        sum + (slot ? askedFen({ method: data.method, isLottery: data.isPlay ?? false }, slot, machine) : 0),
      0,
    ),
    discountFen: 0,
    paidFen: 0,
    occurredAt,
    receivedAt,
    businessDay: businessTime(occurredAt, machine.timeZone).day,
    paidAt: null,
    finishedAt: null,
  }
}

const distinct = (orders: readonly NewOrder[]) => [
  ...new Map([...orders].reverse().map((order) => [order.orderNo, order])).values(),
]

/** An order as it was first asked for; only an unpaid one is quoted again. */
type Asked = {
  method: string
  slots: string
  code: string | null
  isPaid: boolean
  amountFen: number
  receivedAt: Date
}

const expiryOf = (receivedAt: Date) => new Date(receivedAt.getTime() + NO_ANSWER_AFTER_MS)

const askedIn = ({ order, slots }: Opened, held: Held | undefined): Asked | null =>
  held?.refused !== null
    ? null
    : {
        method: order.method,
        slots: slots.map((slot) => slot.code).join(),
        code: order.tenderCode ?? null,
        isPaid: isPaid(held),
        amountFen: order.totalFen,
        receivedAt: order.receivedAt,
      }

function askedBefore(known: OrderRow | undefined, items: Map<number, ItemRow[]>): Asked | null {
  // Paid by a code, it was paid with its first answer.
  const isPaidByCode = known?.payment_state === 'paid' && known.tender_code !== null
  if (!known || (known.payment_state !== 'unpaid' && !isPaidByCode)) return null
  return {
    method: known.method,
    slots: (items.get(known.id) ?? []).map((item) => item.slot_code).join(),
    code: known.tender_code,
    isPaid: isPaidByCode,
    amountFen: known.total_fen - known.discount_fen,
    receivedAt: known.received_at,
  }
}

function quoteAgain({ data }: OrderRequest, asked: Asked | null): Quote {
  const code = keptCode(data)
  const slots = data.items.map((item) => item.slot).join()
  const isSame = asked?.method === data.method && asked.slots === slots && asked.code === code
  if (!isSame) return { refused: 'orderNoReused' }
  return { amountFen: asked.amountFen, expiresAt: expiryOf(asked.receivedAt), isPaid: asked.isPaid }
}

const waitingItem = ({ request: { machine }, order }: Opened, slot: SlotRef, index: number): NewItem => ({
  merchantId: order.merchantId,
  occurredAt: order.occurredAt,
  orderId: order.id,
  index,
  slotId: slot.id,
  productId: slot.product_id ?? 0,
  listPriceFen: slot.price_fen ?? 0,
  priceFen: askedFen(order, slot, machine),
  costFen: slot.cost_fen ?? 0,
  state: itemState.initial,
  motorCode: null,
  sensorCode: null,
  batch: null,
  traceCode: null,
  shippedAt: null,
})
