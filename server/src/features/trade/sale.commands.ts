import type { MessageData } from '@aisle/contract/device/messages'
import { businessTime } from '../../kernel/businessDay'
import type { Tx } from '../../kernel/context'
import { postTransfers, salePostings } from '../ledger/public'
import { addPlaysToRollup } from '../lottery/public'
import { findCharges } from '../member/public'
import {
  findProducts,
  findSlots,
  type Move,
  outsidePlaces,
  type ProductRef,
  recordMoves,
  type SlotRef,
  slotKey,
} from '../stock/public'
import { isMethodOpen, itemOutcome, saleTotals } from './order.rules'
import { insertItems, insertOrders, type NewItem, type NewOrder, takeNumbers } from './order.store'
import { addToRollups } from './rollup.store'
import { type HandedOut, orderNoOf, type Outcome, type PaidSale, type Reported, refused, taken } from './trade.types'

export type ReportedSale = Reported<MessageData<'sale'>>

type Line = { slot: SlotRef; product: ProductRef; item: ReportedSale['data']['items'][number] }

/**
 * Sales that machines settled themselves (cash, or while offline): order, items and stock in the caller's transaction,
 * which must end with `bookPaid`. A sale is taken once by its number. @returns an outcome for each, in the same order,
 * and the ids of the orders that something is due back for
 */
export async function takeSales(
  tx: Tx,
  sales: readonly ReportedSale[],
): Promise<{ outcomes: Outcome[]; paid: PaidSale[]; handedOut: HandedOut[]; short: number[] }> {
  if (sales.length === 0) return { outcomes: [], paid: [], handedOut: [], short: [] }
  const slots = await findSlots(
    tx,
    sales.flatMap((sale) => sale.data.items.map((item) => ({ machineId: sale.machine.id, code: item.slot }))),
  )
  const products = await findProducts(
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
  return {
    outcomes,
    paid: kept.map(({ sale, order, lines }) => paidSale(sale, order, lines)),
    handedOut: kept.flatMap(({ order, lines }) =>
      lines.filter(({ item }) => item.ok).map((line) => piece(order, line)),
    ),
    short: kept.filter(({ order }) => order.problem === 'undelivered').map(({ order }) => order.id),
  }
}

/**
 * Ledger and figures of all sales whose money has arrived, and of what came out; last in a transaction, because the
 * rollup lock is.
 */
export async function bookPaid(
  tx: Tx,
  paid: readonly PaidSale[],
  postedAt: Date,
  handedOut: readonly HandedOut[] = [],
): Promise<void> {
  const byCard = paid.filter((sale) => sale.method === 'member_card')
  const charges = await findCharges(
    tx,
    byCard.map((sale) => sale.orderId),
  )
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
        card: charges.get(sale.orderId),
      }),
    })),
  )
  await addToRollups(tx, paid, handedOut)
  await addPlaysToRollup(
    tx,
    paid.filter(({ businessType }) => businessType === 'lottery').map(({ orderId }) => orderId),
  )
}

function readLines(
  sale: ReportedSale,
  slots: Map<string, SlotRef>,
  products: Map<string, ProductRef>,
): Line[] | Outcome {
  if (!isMethodOpen(sale.data.method)) return refused('methodNotOpen')
  const lines: Line[] = []
  for (const item of sale.data.items) {
    const slot = slots.get(slotKey(sale.machine.id, item.slot))
    if (!slot) return refused('unknownSlot')
    // What came out is what the machine says, even where the plan here names another product.
    const product = products.get(item.product)
    if (!product) return refused('itemUnknown')
    lines.push({ slot, product, item })
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
    pointId: machine.pointId,
    businessType: 'sale',
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

const newItem = (sale: ReportedSale, orderId: number, { slot, product, item }: Line, index: number): NewItem => ({
  merchantId: sale.machine.merchantId,
  occurredAt: sale.occurredAt,
  orderId,
  index,
  slotId: slot.id,
  productId: product.id,
  listPriceFen: item.priceFen,
  priceFen: item.priceFen,
  costFen: product.cost_fen,
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
    lines.flatMap(({ slot, product, item }, index): Move[] => {
      if (!item.ok) return []
      const from = { index, placeId: slot.place_id, productId: product.id }
      return [vendMove({ ...sale, orderId: order.id }, from, customers, item.batch)]
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
  pointId: order.pointId,
  method: sale.data.method,
  businessType: 'sale',
  paidFen: order.paidFen,
  discountFen: order.discountFen,
  occurredAt: order.occurredAt,
  businessDay: order.businessDay,
  isOffline: order.isOffline,
  items: lines.map(({ product, item }) => ({
    productId: product.id,
    priceFen: item.priceFen,
    costFen: product.cost_fen,
  })),
})

const piece = (order: NewOrder, { product, item }: Line): HandedOut => ({
  businessDay: order.businessDay,
  machineId: order.machineId,
  merchantId: order.merchantId,
  pointId: order.pointId,
  productId: product.id,
  batch: item.batch ?? null,
  priceFen: item.priceFen,
  costFen: product.cost_fen,
})
