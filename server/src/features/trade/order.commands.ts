import type { MessageData, MessageRefusal } from '@aisle/contract/device/messages'
import { slotState } from '@aisle/contract/fleet/states'
import { itemState, NO_ANSWER_AFTER_MS, paymentState } from '@aisle/contract/trade/states'
import { businessTime } from '../../kernel/businessDay'
import type { Tx } from '../../kernel/context'
import { orderRefusal } from './order.rules'
import {
  findItems,
  insertItems,
  insertOrders,
  lockByNumbers,
  markPaid,
  markShipReceived,
  type NewItem,
  type NewOrder,
  takeNumbers,
} from './order.store'
import { findSlots, type SlotRef, slotKey } from '../stock/public'
import {
  type ItemRow,
  type OrderRow,
  orderNoOf,
  type Outcome,
  type PaidSale,
  type Reported,
  refused,
  taken,
} from './trade.types'

export type OrderRequest = Reported<MessageData<'order.request'>>
export type ReportedPayment = Reported<MessageData<'pay.result'>>
export type ReportedReceipt = Reported<MessageData<'vend.received'>>

export type Quote = { amountFen: number; expiresAt: Date } | { refused: MessageRefusal }

/**
 * Prices what customers chose and opens unpaid orders. Asking again with the same number and slots gives the same
 * answer. @returns a quote for each request, in the same order
 */
export async function requestOrders(tx: Tx, requests: readonly OrderRequest[]): Promise<Quote[]> {
  if (requests.length === 0) return []
  const slots = await findSlots(
    tx,
    requests.flatMap((request) =>
      request.data.items.map((item) => ({ machineId: request.machine.id, code: item.slot })),
    ),
  )
  const read = requests.map((request) => readSlots(request, slots))
  const wanted = requests.map((request, i) => newOrder(request, read[i] ?? []))
  const able = requests.map((request, i) => refusalOf(request, read[i] ?? []))
  const numbers = await takeNumbers(tx, distinct(wanted.filter((_, i) => able[i] === null)))
  const known = await lockByNumbers(
    tx,
    wanted.filter((_, i) => able[i] === null).map((order) => order.orderNo),
  )
  const items = await findItems(tx, [...known.values()])
  const opened = new Map<string, { order: NewOrder & { id: number }; slots: SlotRef[] }>()
  const quotes = requests.map((request, i): Quote => {
    const reason = able[i]
    const order = wanted[i]
    if (reason || !order) return { refused: reason ?? 'unknownSlot' }
    const id = numbers.get(order.orderNo)
    const twin = opened.get(order.orderNo)
    if (twin) return quoteAgain(request, askedIn(twin))
    if (id === undefined) return quoteAgain(request, askedBefore(known.get(order.orderNo), items))
    opened.set(order.orderNo, { order: { ...order, id }, slots: (read[i] ?? []).flatMap((slot) => slot ?? []) })
    return { amountFen: order.totalFen, expiresAt: expiryOf(order.receivedAt) }
  })
  await insertOrders(
    tx,
    [...opened.values()].map((each) => each.order),
  )
  await insertItems(
    tx,
    [...opened.values()].flatMap(({ order, slots: chosen }) => chosen.map((slot, i) => waitingItem(order, slot, i))),
  )
  return quotes
}

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
  return orderRefusal(request.machine, request.data.method, states)
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
    method: data.method,
    paymentState: paymentState.initial,
    shipState: 'in_transit',
    orderState: 'open',
    problem: null,
    isOffline: false,
    itemCount: data.items.length,
    totalFen: slots.reduce((sum, slot) => sum + (slot?.price_fen ?? 0), 0),
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
type Asked = { method: string; slots: string; amountFen: number; receivedAt: Date }

const expiryOf = (receivedAt: Date) => new Date(receivedAt.getTime() + NO_ANSWER_AFTER_MS)

const askedIn = ({ order, slots }: { order: NewOrder; slots: readonly SlotRef[] }): Asked => ({
  method: order.method,
  slots: slots.map((slot) => slot.code).join(),
  amountFen: order.totalFen,
  receivedAt: order.receivedAt,
})

function askedBefore(known: OrderRow | undefined, items: Map<number, ItemRow[]>): Asked | null {
  if (known?.payment_state !== 'unpaid') return null
  return {
    method: known.method,
    slots: (items.get(known.id) ?? []).map((item) => item.slot_code).join(),
    amountFen: known.total_fen - known.discount_fen,
    receivedAt: known.received_at,
  }
}

function quoteAgain({ data }: OrderRequest, asked: Asked | null): Quote {
  const isSame = asked?.method === data.method && asked.slots === data.items.map((item) => item.slot).join()
  return isSame ? { amountFen: asked.amountFen, expiresAt: expiryOf(asked.receivedAt) } : { refused: 'orderNoReused' }
}

const waitingItem = (order: NewOrder & { id: number }, slot: SlotRef, index: number): NewItem => ({
  merchantId: order.merchantId,
  occurredAt: order.occurredAt,
  orderId: order.id,
  index,
  slotId: slot.id,
  productId: slot.product_id ?? 0,
  priceFen: slot.price_fen ?? 0,
  state: itemState.initial,
  motorCode: null,
  sensorCode: null,
  batch: null,
  traceCode: null,
  shippedAt: null,
})

/** An order that has been paid and must now be shipped by its machine. */
export type ToShip = {
  machine: ReportedPayment['machine']
  machineOrderNo: string
  orderNo: string
  items: { index: number; slot: string }[]
}

/** Payments that the machine's own reader took: unpaid → paid. The transaction must end with `bookPaid`. */
export async function takePayments(
  tx: Tx,
  payments: readonly ReportedPayment[],
): Promise<{ outcomes: Outcome[]; paid: PaidSale[]; toShip: ToShip[] }> {
  if (payments.length === 0) return { outcomes: [], paid: [], toShip: [] }
  const orders = await lockByNumbers(
    tx,
    payments.map((each) => orderNoOf(each.machine.code, each.data.orderNo)),
  )
  const items = await findItems(tx, [...orders.values()])
  const fresh: { payment: ReportedPayment; order: OrderRow }[] = []
  const outcomes = payments.map((payment): Outcome => {
    const order = orders.get(orderNoOf(payment.machine.code, payment.data.orderNo))
    const outcome = payable(payment, order)
    if (outcome !== 'pay' || !order) return outcome === 'pay' ? refused('unknownOrder') : outcome
    order.payment_state = paymentState.to('pay')
    order.third_party_no = payment.data.channelNo
    fresh.push({ payment, order })
    return taken
  })
  await markPaid(
    tx,
    fresh.map(({ payment, order }) => ({
      merchantId: order.merchant_id,
      occurredAt: order.occurred_at,
      id: order.id,
      paidFen: payment.data.amountFen,
      channelNo: payment.data.channelNo,
      paidAt: payment.occurredAt,
    })),
  )
  const paid = fresh.map(({ payment, order }) => paidSale(payment, order, items.get(order.id) ?? []))
  const toShip = fresh.map(({ payment, order }) => ({
    machine: payment.machine,
    machineOrderNo: payment.data.orderNo,
    orderNo: order.order_no,
    items: (items.get(order.id) ?? []).map((item) => ({ index: item.index, slot: item.slot_code })),
  }))
  return { outcomes, paid, toShip }
}

/** The same payment told twice is fine; another one for a paid or closed order is not. */
function payable(payment: ReportedPayment, order: OrderRow | undefined): Outcome | 'pay' {
  if (!order) return refused('unknownOrder')
  if (order.payment_state !== 'unpaid') {
    return order.third_party_no === payment.data.channelNo ? taken : refused('orderState')
  }
  if (payment.data.amountFen !== order.total_fen - order.discount_fen) return refused('amountDiffers')
  if (payment.data.method !== order.method) return refused('methodDiffers')
  return 'pay'
}

const paidSale = (payment: ReportedPayment, order: OrderRow, items: readonly ItemRow[]): PaidSale => ({
  orderId: order.id,
  machine: payment.machine,
  method: order.method,
  paidFen: payment.data.amountFen,
  discountFen: order.discount_fen,
  occurredAt: order.occurred_at,
  businessDay: order.business_day,
  isOffline: order.is_offline,
  items: items.map((item) => ({ productId: item.product_id, priceFen: item.price_fen })),
})

/** The machine has the ship order in its hands, before the motor turns. */
export async function takeReceipts(tx: Tx, receipts: readonly ReportedReceipt[]): Promise<Outcome[]> {
  if (receipts.length === 0) return []
  const orders = await lockByNumbers(
    tx,
    receipts.map((each) => orderNoOf(each.machine.code, each.data.orderNo)),
  )
  const marks: Parameters<typeof markShipReceived>[1][number][] = []
  const outcomes = receipts.map((receipt): Outcome => {
    const order = orders.get(orderNoOf(receipt.machine.code, receipt.data.orderNo))
    if (!order) return refused('unknownOrder')
    if (order.payment_state === 'unpaid' || order.payment_state === 'closed') return refused('orderState')
    marks.push({ merchantId: order.merchant_id, occurredAt: order.occurred_at, id: order.id, at: receipt.occurredAt })
    return taken
  })
  await markShipReceived(tx, marks)
  return outcomes
}
