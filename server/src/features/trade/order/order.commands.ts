import { itemState, NO_ANSWER_AFTER_MS, paymentState } from '@aisle/contract/trade/states'
import { businessTime } from '../../../kernel/businessDay'
import type { AuthKeys, Tx } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { personHash } from '../../pharmacy/public'
import {
  findVouchersOf,
  holdRooms,
  noteUses,
  priceAsks,
  type PricedItem,
  type PricedVoucher,
  type Quotation,
} from '../../promotion/public'
import { findSlots, type SlotRef } from '../../stock/public'
import type { Books } from '../sale/books'
import type { SaleSlot } from '../sale/choice'
import { shipOrDraw } from '../sale/draw'
import { chooseAll, type Chosen, type Refused } from './order.chosen'
import { type OrderRequest, type Quote, type Quoted, withMore } from './order.quotes'
import { insertSteps } from './priceStep.store'
import { askedFen, businessTypeOf, isReducible, keptCode } from './order.rules'
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
import { type Ask, type Held, hold } from '../sale/tender'
import { type Drawn, type ItemRow, type OrderRow, orderNoOf, type PaidSale, type ToShip } from '.././trade.types'

/** A request that may be sold, with the order that it is to become. */
type Wanted = {
  request: OrderRequest
  refused: null
  order: NewOrder
  slots: readonly PricedSlot[]
  /** What it was priced by; null for what is not priced by plans. */
  quotation: Quotation | null
}
/** What is asked for a piece, and by which steps it came to be less than the slot's price. */
type PricedSlot = SaleSlot & PricedItem
/** Its number was free. */
type Numbered = Wanted & { order: NewOrder & { id: number } }
type Opened = Numbered & { held: Held }

/**
 * Prices what customers chose and opens their orders: unpaid ones, and paid ones where a code or a card pays. Asking
 * again with the same number and slots gives the same answer. @returns a quote for each request
 */
export async function requestOrders(
  tx: Tx,
  books: Books,
  requests: readonly OrderRequest[],
  keys: AuthKeys,
): Promise<{ quoted: Quoted[]; toShip: ToShip[]; drawn: Drawn[] }> {
  const [first] = requests
  if (!first) return { quoted: [], toShip: [], drawn: [] }
  const slots = await findSlots(
    tx,
    requests.flatMap(({ machine, data }) => data.items.map((item) => ({ machineId: machine.id, code: item.slot }))),
  )
  const chosen = await chooseAll(tx, requests, slots)
  const all = await priced(tx, chosen, keys)
  const wanted = all.filter((one): one is Wanted => one.refused === null)
  const numbered = await takeNumbers(tx, wanted)
  const before = await findBefore(tx, wanted)
  const opened = await open(tx, numbered, keys)
  const quoted = all.map((one): Quoted => {
    const { request } = one
    const orderNo = orderNoOf(request.machine.code, request.data.orderNo)
    return { request, orderNo, quote: one.refused ? { refused: one.refused } : quoteOf(one, opened, before) }
  })
  const paid = [...opened.values()].filter(isPaid).map((one) => ({ sale: paidSale(one), ship: toShipOf(one) }))
  books.paid(paid.map(({ sale }) => sale))
  return { quoted: await withMore(tx, quoted), ...(await shipOrDraw(tx, keys, paid, first.receivedAt)) }
}

/** What plans may make cheaper is priced by them; plays and what was paid for elsewhere cost what they do. */
async function priced(tx: Tx, all: readonly (Chosen | Refused)[], keys: AuthKeys): Promise<(Wanted | Refused)[]> {
  const [first] = all
  if (!first) return []
  const open = all.filter(
    (one): one is Chosen =>
      one.refused === null && isReducible({ ...one.request.data, isLottery: isPlay(one.request) }),
  )
  const asks = new Map(
    open.map((one) => {
      const { machine, data } = one.request
      return [one, { machine, slots: one.slots, code: keptCode(data), voucher: data.voucher ?? null }]
    }),
  )
  const quotations = await priceAsks(tx, [...asks.values()], first.request.receivedAt, keys)
  return all.map((one) => {
    if (one.refused !== null) return one
    const ask = asks.get(one)
    const quotation = (ask && quotations.get(ask)) ?? null
    return { ...one, quotation, ...pricedBy(one, quotation?.items) }
  })
}

const isPlay = ({ data }: OrderRequest): boolean => data.isPlay ?? false

function pricedBy({ request, slots }: Chosen, items: readonly PricedItem[] | undefined) {
  const order = { method: request.data.method, isLottery: isPlay(request) }
  const own = slots.map(
    (slot, at): PricedSlot => ({
      ...slot,
      ...(items?.[at] ?? { steps: [], askedFen: askedFen(order, slot, request.machine) }),
    }),
  )
  return { slots: own, order: newOrder(request, own) }
}

type Before = {
  orders: ReadonlyMap<string, OrderRow>
  items: ReadonlyMap<number, ItemRow[]>
  vouchers: ReadonlyMap<number, number>
}

async function findBefore(tx: Tx, wanted: readonly Wanted[]): Promise<Before> {
  const orders = await lockByNumbers(
    tx,
    wanted.map(({ order }) => order.orderNo),
  )
  const vouchers = await findVouchersOf(
    tx,
    [...orders.values()].map(({ id }) => id),
  )
  return { orders, items: await findItems(tx, [...orders.values()]), vouchers }
}

/** What a plan that has a limit gives is settled while nobody else takes of it. */
async function withRooms(tx: Tx, numbered: readonly Numbered[]): Promise<Numbered[]> {
  const wanted = numbered.flatMap(({ order, quotation }) => (quotation ? [{ orderId: order.id, quotation }] : []))
  const rooms = await holdRooms(tx, wanted)
  return numbered.map((one) => {
    const found = rooms.get(one.order.id)
    if (!found || !one.quotation) return one
    const { slots, order } = pricedBy(one, found.items)
    return { ...one, slots, order: { ...order, id: one.order.id }, quotation: { ...one.quotation, ...found } }
  })
}

/** What is refused leaves nothing: its number is free again. @returns what was asked for each number, kept or not */
async function open(tx: Tx, fresh: readonly Numbered[], keys: AuthKeys): Promise<Map<string, Opened>> {
  const numbered = await withRooms(tx, fresh)
  const held = await hold(
    tx,
    numbered.map((one) => askOf(one, keys)),
    keys,
  )
  const all = numbered.map((one) => ({ ...one, held: must(held.get(one.order.id), 'what an order is held by') }))
  const kept = all.filter((one) => one.held.refused === null)
  await freeNumbers(
    tx,
    all.filter((one) => one.held.refused !== null).map(({ order }) => order.id),
  )
  await insertOrders(
    tx,
    kept.map((one) => (isPaid(one) ? paidNow(one.order) : one.order)),
  )
  await insertItems(
    tx,
    kept.flatMap((one) => one.slots.map((slot, index) => waitingItem(one, slot, index))),
  )
  await insertSteps(
    tx,
    kept.flatMap(({ order, slots }) => slots.flatMap(({ steps }, index) => [{ orderId: order.id, index, steps }])),
  )
  await noteUses(
    tx,
    kept.flatMap(({ order, quotation }) => (quotation ? [{ order, quotation }] : [])),
  )
  return new Map(all.map((one) => [one.order.orderNo, one]))
}

const isPaid = ({ held }: Opened): boolean => held.refused === null && held.isPaid

const paidNow = (order: NewOrder & { id: number }) => ({
  ...order,
  paymentState: paymentState.to('pay'),
  paidFen: dueOf(order),
  paidAt: order.occurredAt,
})

function quoteOf(wanted: Wanted, opened: ReadonlyMap<string, Opened>, before: Before): Quote {
  const { request, order } = wanted
  const one = opened.get(order.orderNo)
  if (!one) return quoteAgain(wanted, askedBefore(before.orders.get(order.orderNo), before))
  if (one.request !== request) return quoteAgain(wanted, askedIn(one))
  if (one.held.refused !== null) return { refused: one.held.refused }
  return { amountFen: dueOf(one.order), expiresAt: expiryOf(order.receivedAt), isPaid: isPaid(one) }
}

/** An order as it was first asked for; only an unpaid one is quoted again. */
type Asked = {
  method: string
  slots: string
  code: string | null
  voucherId: number | null
  isPaid: boolean
  amountFen: number
  receivedAt: Date
}

const expiryOf = (receivedAt: Date) => new Date(receivedAt.getTime() + NO_ANSWER_AFTER_MS)

const askedIn = (one: Opened): Asked | null =>
  one.held.refused !== null
    ? null
    : {
        method: one.order.method,
        slots: one.slots.map((slot) => slot.code).join(),
        code: one.order.tenderCode ?? null,
        voucherId: broughtBy(one),
        isPaid: isPaid(one),
        amountFen: dueOf(one.order),
        receivedAt: one.order.receivedAt,
      }

/** Nobody gave it out, or nothing is priced by it: as no order has it. */
const NO_VOUCHER = 0
const broughtBy = ({ request, quotation }: Wanted): number | null =>
  request.data.voucher === undefined ? null : (quotation?.voucher?.id ?? NO_VOUCHER)

function askedBefore(known: OrderRow | undefined, { items, vouchers }: Before): Asked | null {
  if (!known) return null
  // Paid by a code, it was paid with its first answer.
  const isPaidByCode = paymentState.is(known.payment_state, 'paid') && known.tender_code !== null
  if (!paymentState.is(known.payment_state, 'unpaid') && !isPaidByCode) return null
  return {
    method: known.method,
    slots: (items.get(known.id) ?? []).map((item) => item.slot_code).join(),
    code: known.tender_code,
    voucherId: vouchers.get(known.id) ?? null,
    isPaid: isPaidByCode,
    amountFen: known.total_fen - known.discount_fen,
    receivedAt: known.received_at,
  }
}

function quoteAgain(wanted: Wanted, asked: Asked | null): Quote {
  const { data } = wanted.request
  const code = keptCode(data)
  const slots = data.items.map((item) => item.slot).join()
  const isSame = asked?.method === data.method && asked.slots === slots && asked.code === code
  if (!isSame || asked.voucherId !== broughtBy(wanted)) return { refused: 'orderNoReused' }
  return { amountFen: asked.amountFen, expiresAt: expiryOf(asked.receivedAt), isPaid: asked.isPaid }
}

const askOf = ({ request, order, slots, quotation }: Numbered, keys: AuthKeys): Ask => ({
  orderId: order.id,
  orderNo: order.orderNo,
  msgId: request.msgId,
  machine: request.machine,
  method: request.data.method,
  code: request.data.code ?? null,
  prescription: request.data.prescription ?? null,
  voucher: voucherOf(request, quotation),
  person: personOf(request, keys),
  isPlay: request.data.isPlay ?? false,
  amountFen: dueOf(order),
  items: slots.map((slot) => ({
    placeId: slot.place_id,
    productId: slot.product_id,
    medicineClass: slot.medicine_class,
    slotCode: slot.code,
    listPriceFen: slot.price_fen,
    priceFen: slot.askedFen,
  })),
  at: order.occurredAt,
  receivedAt: order.receivedAt,
  businessDay: order.businessDay,
  expiresAt: expiryOf(order.receivedAt),
})

/** A member who has had a code as often as it says gets nothing by it. */
function voucherOf({ data }: OrderRequest, quotation: Quotation | null): PricedVoucher | null {
  if (data.voucher === undefined) return null
  if (!quotation?.voucher) return { id: null, refused: 'voucherNoEffect' }
  const { voucher, uses, voucherPlanId } = quotation
  if (voucher.refused !== null || uses.some(({ planId }) => planId === voucherPlanId)) return voucher
  return { id: voucher.id, refused: 'voucherLimit' }
}

/** Of the document no more is kept than tells the person again. */
const personOf = ({ data: { person } }: OrderRequest, keys: AuthKeys): Ask['person'] =>
  person ? { hash: personHash(keys, 'id', person.idNumber), age: person.age } : null

const paidSale = ({ request, order, slots }: Opened): PaidSale => ({
  orderId: order.id,
  machine: request.machine,
  pointId: order.pointId,
  method: request.data.method,
  businessType: typeOf(request, slots),
  paidFen: dueOf(order),
  discountFen: order.discountFen,
  occurredAt: order.occurredAt,
  businessDay: order.businessDay,
  isOffline: order.isOffline,
  items: slots.map((slot) => ({
    productId: slot.product_id,
    priceFen: slot.askedFen,
    costFen: slot.cost_fen,
  })),
})

const toShipOf = ({ request, order, slots }: Opened): ToShip => ({
  machine: request.machine,
  machineOrderNo: order.machineOrderNo,
  orderNo: order.orderNo,
  items: slots.map((slot, index) => ({ index, slot: slot.code })),
  at: request.receivedAt,
})

const typeOf = ({ data }: OrderRequest, slots: readonly SlotRef[]) =>
  businessTypeOf(
    data,
    slots.map((slot) => slot.medicine_class),
  )

const dueOf = ({ totalFen, discountFen }: Pick<NewOrder, 'totalFen' | 'discountFen'>): number => totalFen - discountFen

function newOrder(request: OrderRequest, slots: readonly PricedSlot[]): NewOrder {
  const { machine, data, occurredAt, receivedAt } = request
  const isLottery = data.isPlay ?? false
  return {
    orderNo: orderNoOf(machine.code, data.orderNo),
    machineOrderNo: data.orderNo,
    merchantId: machine.merchantId,
    machineId: machine.id,
    pointId: machine.pointId,
    businessType: typeOf(request, slots),
    method: data.method,
    tenderCode: keptCode(data),
    prescriptionCode: data.prescription ?? null,
    isLottery,
    paymentState: paymentState.initial,
    shipState: 'in_transit',
    orderState: 'open',
    problem: null,
    isOffline: false,
    itemCount: data.items.length,
    totalFen: slots.reduce((sum, slot) => sum + beforeFen(slot), 0),
    discountFen: slots.reduce((sum, slot) => sum + beforeFen(slot) - slot.askedFen, 0),
    paidFen: 0,
    occurredAt,
    receivedAt,
    businessDay: businessTime(occurredAt, machine.timeZone).day,
    paidAt: null,
    finishedAt: null,
  }
}

/** What would have been asked without any step. */
const beforeFen = ({ steps, askedFen: asked }: PricedSlot): number => steps[0]?.beforeFen ?? asked

const waitingItem = ({ order }: Opened, slot: PricedSlot, index: number): NewItem => ({
  merchantId: order.merchantId,
  occurredAt: order.occurredAt,
  orderId: order.id,
  index,
  slotId: slot.id,
  productId: slot.product_id,
  listPriceFen: slot.price_fen,
  priceFen: slot.askedFen,
  costFen: slot.cost_fen,
  state: itemState.initial,
  motorCode: null,
  sensorCode: null,
  batch: null,
  traceCode: null,
  shippedAt: null,
})
