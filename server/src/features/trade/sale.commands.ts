import type { MessageData } from '@aisle/contract/device/messages'
import { businessTime } from '../../kernel/businessDay'
import type { Tx } from '../../kernel/context'
import { postTransfers, salePostings } from '../ledger/public'
import {
  findProductIds,
  findSlots,
  type Move,
  outsidePlaces,
  recordMoves,
  type SlotRef,
  slotKey,
} from '../stock/public'
import { isMethodOpen, itemOutcome, saleTotals } from './order.rules'
import { insertItems, insertOrders, type NewItem, type NewOrder, takeNumbers } from './order.store'
import { addToRollups } from './rollup.store'
import { orderNoOf, type Outcome, type PaidSale, type Reported, refused, taken } from './trade.types'

export type ReportedSale = Reported<MessageData<'sale'>>

type Line = { slot: SlotRef; productId: number; item: ReportedSale['data']['items'][number] }

/**
 * Sales that machines settled themselves (cash, or while offline): order, items and stock in the caller's transaction,
 * which must end with `bookPaid`. A sale is taken once by its number. @returns an outcome for each, in the same order
 */
export async function takeSales(
  tx: Tx,
  sales: readonly ReportedSale[],
): Promise<{ outcomes: Outcome[]; paid: PaidSale[] }> {
  if (sales.length === 0) return { outcomes: [], paid: [] }
  const slots = await findSlots(
    tx,
    sales.flatMap((sale) => sale.data.items.map((item) => ({ machineId: sale.machine.id, code: item.slot }))),
  )
  const products = await findProductIds(
    tx,
    sales.flatMap((sale) => sale.data.items.map((item) => item.product)),
  )
  const read = sales.map((sale) => readLines(sale, slots, products))
  const wanted = sales.map(orderOf)
  const numbers = await takeNumbers(tx, firstOfEach(wanted.filter((_, i) => Array.isArray(read[i]))))
  const kept: { sale: ReportedSale; order: NewOrder & { id: number }; lines: readonly Line[] }[] = []
  const outcomes = sales.map((sale, i): Outcome => {
    const lines = read[i]
    const order = wanted[i]
    if (!lines || !order || !Array.isArray(lines)) return lines as Outcome
    const id = numbers.get(order.orderNo)
    if (id === undefined) return refused('orderNoReused')
    numbers.delete(order.orderNo)
    kept.push({ sale, order: { ...order, id }, lines })
    return taken
  })
  await insertOrders(
    tx,
    kept.map((each) => each.order),
  )
  await insertItems(
    tx,
    kept.flatMap(({ sale, order, lines }) => lines.map((line, i) => newItem(sale, order.id, line, i))),
  )
  await moveOut(tx, kept)
  return { outcomes, paid: kept.map(({ sale, order, lines }) => paidSale(sale, order, lines)) }
}

/** Ledger and figures of all sales whose money has arrived; last in a transaction, because the rollup lock is. */
export async function bookPaid(tx: Tx, paid: readonly PaidSale[], postedAt: Date): Promise<void> {
  await postTransfers(
    tx,
    paid.map((sale) => ({
      kind: 'sale',
      reference: String(sale.orderId),
      merchantId: sale.machine.merchantId,
      postedAt,
      businessDay: sale.businessDay,
      postings: salePostings({
        method: sale.method,
        paidFen: sale.paidFen,
        merchantId: sale.machine.merchantId,
        machineCode: sale.machine.code,
        collectsPayment: sale.machine.collectsPayment,
      }),
    })),
  )
  await addToRollups(tx, paid)
}

function readLines(sale: ReportedSale, slots: Map<string, SlotRef>, products: Map<string, number>): Line[] | Outcome {
  if (!isMethodOpen(sale.data.method)) return refused('methodNotOpen')
  const lines: Line[] = []
  for (const item of sale.data.items) {
    const slot = slots.get(slotKey(sale.machine.id, item.slot))
    if (!slot) return refused('unknownSlot')
    // What came out is what the machine says, even where the plan here names another product.
    const productId = products.get(item.product)
    if (productId === undefined) return refused('itemUnknown')
    lines.push({ slot, productId, item })
  }
  return lines
}

function orderOf(sale: ReportedSale): NewOrder {
  const { machine, data } = sale
  const totals = saleTotals(data)
  const states = data.items.map(itemOutcome)
  const dispensed = states.filter((state) => state === 'dispensed').length
  return {
    orderNo: orderNoOf(machine.code, data.orderNo),
    machineOrderNo: data.orderNo,
    merchantId: machine.merchantId,
    machineId: machine.id,
    method: data.method,
    paymentState: 'paid',
    shipState: dispensed > 0 ? 'completed' : 'invalid',
    orderState: 'done',
    problem: dispensed < states.length ? 'undelivered' : totals.problem,
    isOffline: sale.isOffline,
    itemCount: data.items.length,
    totalFen: totals.totalFen,
    discountFen: totals.discountFen,
    paidFen: data.paidFen,
    occurredAt: sale.occurredAt,
    receivedAt: sale.receivedAt,
    businessDay: businessTime(sale.occurredAt, machine.timeZone).day,
    paidAt: sale.occurredAt,
    finishedAt: sale.occurredAt,
  }
}

/** One insert can't take a number twice: of sales with the same number in a batch the first is meant. */
const firstOfEach = (orders: readonly NewOrder[]) => [
  ...new Map([...orders].reverse().map((order) => [order.orderNo, order])).values(),
]

const newItem = (sale: ReportedSale, orderId: number, { slot, productId, item }: Line, index: number): NewItem => ({
  merchantId: sale.machine.merchantId,
  occurredAt: sale.occurredAt,
  orderId,
  index,
  slotId: slot.id,
  productId,
  priceFen: item.priceFen,
  state: itemOutcome(item),
  motorCode: item.motorCode ?? null,
  sensorCode: item.sensorCode ?? null,
  batch: item.batch ?? null,
  traceCode: item.traceCode ?? null,
  shippedAt: sale.occurredAt,
})

async function moveOut(
  tx: Tx,
  kept: readonly { sale: ReportedSale; order: { id: number }; lines: readonly Line[] }[],
): Promise<void> {
  const customers = await outsidePlaces(
    tx,
    'customer',
    kept.map(({ sale }) => sale.machine.merchantId),
  )
  const moves = kept.flatMap(({ sale, order, lines }) =>
    lines.flatMap(({ slot, productId, item }, index): Move[] => {
      if (!item.ok) return []
      return [
        vendMove({ ...sale, orderId: order.id }, { index, placeId: slot.place_id, productId }, customers, item.batch),
      ]
    }),
  )
  await recordMoves(tx, moves)
}

/** One piece from a slot to the customer, referring to the order's item. */
export const vendMove = (
  sale: { machine: { merchantId: number }; occurredAt: Date; orderId: number },
  item: { index: number; placeId: number; productId: number },
  customers: Map<number, number>,
  batch: string | undefined,
): Move => ({
  merchantId: sale.machine.merchantId,
  movedAt: sale.occurredAt,
  productId: item.productId,
  quantity: 1,
  fromPlaceId: item.placeId,
  toPlaceId: customers.get(sale.machine.merchantId) ?? 0,
  cause: 'vend',
  reference: `order/${sale.orderId}/${item.index}`,
  batch: batch ?? null,
})

const paidSale = (sale: ReportedSale, order: NewOrder & { id: number }, lines: readonly Line[]): PaidSale => ({
  orderId: order.id,
  machine: sale.machine,
  method: sale.data.method,
  paidFen: order.paidFen,
  discountFen: order.discountFen,
  occurredAt: order.occurredAt,
  businessDay: order.businessDay,
  isOffline: order.isOffline,
  items: lines.map(({ productId, item }) => ({ productId, priceFen: item.priceFen })),
})
