import type { MessageData, MessageRefusal } from '@aisle/contract/device/messages'
import { itemState, type WrongSale } from '@aisle/contract/trade/states'
import { businessTime } from '../../../kernel/businessDay'
import type { Tx } from '../../../kernel/context'
import { answers, must } from '../../../kernel/must'
import {
  findProducts,
  findSlots,
  type Move,
  openUnknownProducts,
  productKey,
  outsidePlaces,
  type ProductRef,
  recordMoves,
  type SlotRef,
  slotKey,
} from '../../stock/public'
import type { Books } from './books'
import { businessTypeOf, isMethodOpen, itemOutcome, saleTotals } from '../order/order.rules'
import { insertItems, insertOrders, type NewItem, type NewOrder, takeNumbers } from '../order/order.store'
import {
  type HandedOut,
  orderNoOf,
  type Outcomes,
  type PaidSale,
  type Reported,
  refused,
  taken,
} from '.././trade.types'
import { pieceOf, type TracedPiece } from './traced.commands'
import { findWrong } from './wrongSale.reads'
import { problemOf, type WrongPiece } from './wrongSale.rules'

export type ReportedSale = Reported<MessageData<'sale'>>

/** A sale as it is read, with the order that it is to become. */
type Read = { sale: ReportedSale; order: NewOrder; lines: readonly Line[] }
type Kept = Read & { order: { id: number } }
type Line = {
  slot: SlotRef
  product: ProductRef
  item: ReportedSale['data']['items'][number]
  /** Why it should not have been sold. */
  wrong: WrongSale | null
}

/**
 * Sales that machines settled themselves (cash, or while offline): order, items, stock and books. A sale is taken once
 * by its number. One that should not have been made is a fact all the same: it is kept under the name of what was sold,
 * as a case, and told. @returns an outcome for each, the ids of the orders that something is due back for, the pieces
 * that should not have been sold, and those that came out with a code of their own
 */
export async function takeSales(
  tx: Tx,
  books: Books,
  sales: readonly ReportedSale[],
): Promise<{ outcomes: Outcomes<ReportedSale>; short: number[]; wrong: WrongPiece[]; traced: TracedPiece[] }> {
  if (sales.length === 0) return { outcomes: new Map(), short: [], wrong: [], traced: [] }
  const slots = await findSlots(
    tx,
    sales.flatMap((sale) => sale.data.items.map((item) => ({ machineId: sale.machine.id, code: item.slot }))),
  )
  const able = sales.filter((sale) => refusalOf(sale, slots) === null)
  const products = await productsOf(tx, able)
  const numbered = await takeNumbers(
    tx,
    able.map((sale) => readSale(sale, slots, products)),
  )
  const fresh = new Set(numbered.map(({ sale }) => sale))
  const outcomes = answers(sales, (sale) => {
    if (fresh.has(sale)) return taken
    return refused(refusalOf(sale, slots) ?? 'orderNoReused')
  })
  const kept = await withWrong(tx, numbered)
  await insertOrders(
    tx,
    kept.map((each) => each.order),
  )
  await insertItems(
    tx,
    kept.flatMap(({ sale, order, lines }) => lines.map((line, i) => newItem(sale, order.id, line, i))),
  )
  await moveOut(tx, kept)
  books.paid(kept.map(paidSale))
  books.handedOut(
    kept.flatMap(({ order, lines }) => lines.filter(({ item }) => item.ok).map((line) => piece(order, line))),
  )
  return {
    outcomes,
    short: kept.filter(({ lines }) => lines.some(({ item }) => !item.ok)).map(({ order }) => order.id),
    wrong: kept.flatMap(wrongPieces),
    traced: kept.flatMap(tracedPieces),
  }
}

/** Which pieces came out that should not have been sold, and what is wrong with their orders by it. */
async function withWrong(tx: Tx, fresh: readonly Kept[]): Promise<Kept[]> {
  const out = fresh.flatMap(({ sale: { machine, occurredAt, receivedAt }, lines }) =>
    lines
      .filter(({ item }) => item.ok)
      .map((line) => ({ ...line, line, machine, occurredAt, receivedAt, batch: line.item.batch ?? null })),
  )
  const wrong = await findWrong(tx, out)
  const whys = new Map(out.map((piece) => [piece.line, wrong.get(piece) ?? null]))
  return fresh.map((each) => {
    const lines = each.lines.map((line) => ({ ...line, wrong: whys.get(line) ?? null }))
    const wrongs = lines.flatMap(({ wrong }) => wrong ?? [])
    return { ...each, lines, order: { ...each.order, problem: problemOf(wrongs, each.order.problem) } }
  })
}

const wrongPieces = ({ sale: { machine }, order: { orderNo }, lines }: Kept): WrongPiece[] =>
  lines.flatMap(({ slot, product, wrong: why }) =>
    why ? [{ machine, slot: slot.code, product: product.code, orderNo, why }] : [],
  )

const tracedPieces = ({ sale, order, lines }: Kept): TracedPiece[] =>
  lines.flatMap(({ slot, product, item }, index) =>
    pieceOf(sale, order, { ...item, index, isSecond: false, slot: slot.code, productId: product.id }),
  )

function refusalOf({ machine, data }: ReportedSale, slots: ReadonlyMap<string, SlotRef>): MessageRefusal | null {
  if (!isMethodOpen(data.method)) return 'methodNotOpen'
  return data.items.every((item) => slots.has(slotKey(machine.id, item.slot))) ? null : 'unknownSlot'
}

/** The catalogue's codes have two characters at least. */
const codeOf = (item: { product: string }): string => item.product.padStart(2, '?')

/** By code; what nobody has entered is opened under the code that was sold. */
async function productsOf(tx: Tx, sales: readonly ReportedSale[]): Promise<Map<string, ProductRef>> {
  const sold = sales.flatMap(({ machine: { merchantId }, data }) =>
    data.items.map((item) => ({ merchantId, code: codeOf(item) })),
  )
  const known = await findProducts(tx, sold)
  const opened = await openUnknownProducts(
    tx,
    sold.filter((each) => !known.has(productKey(each))),
  )
  return new Map([...known, ...opened])
}

function readSale(
  sale: ReportedSale,
  slots: ReadonlyMap<string, SlotRef>,
  products: ReadonlyMap<string, ProductRef>,
): Read {
  const lines = sale.data.items.map((item) => ({
    slot: must(slots.get(slotKey(sale.machine.id, item.slot)), `slot ${item.slot}`),
    // What came out is what the machine says, even where the plan here names another product.
    product: must(
      products.get(productKey({ merchantId: sale.machine.merchantId, code: codeOf(item) })),
      `product ${item.product}`,
    ),
    item,
    wrong: null,
  }))
  return { sale, order: orderOf(sale, lines), lines }
}

function orderOf(sale: ReportedSale, lines: readonly Line[]): NewOrder {
  const { machine, data } = sale
  const totals = saleTotals(data)
  const states = data.items.map(itemOutcome)
  const dispensed = states.filter((state) => itemState.is(state, 'dispensed')).length
  return {
    orderNo: orderNoOf(machine.code, data.orderNo),
    machineOrderNo: data.orderNo,
    merchantId: machine.merchantId,
    machineId: machine.id,
    pointId: machine.pointId,
    businessType: typeOf(data, lines),
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

const typeOf = (data: ReportedSale['data'], lines: readonly Line[]) =>
  businessTypeOf(
    data,
    lines.map(({ product }) => product.medicine_class),
  )

const newItem = (sale: ReportedSale, orderId: number, line: Line, index: number): NewItem => ({
  merchantId: sale.machine.merchantId,
  occurredAt: sale.occurredAt,
  orderId,
  index,
  slotId: line.slot.id,
  productId: line.product.id,
  listPriceFen: line.item.priceFen,
  priceFen: line.item.priceFen,
  costFen: line.product.cost_fen,
  state: itemOutcome(line.item),
  motorCode: line.item.motorCode ?? null,
  sensorCode: line.item.sensorCode ?? null,
  batch: line.item.batch ?? null,
  traceCode: line.item.traceCode ?? null,
  shippedAt: sale.occurredAt,
  wrong: line.wrong,
})

async function moveOut(tx: Tx, kept: readonly Kept[]): Promise<void> {
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
  toPlaceId: must(customers.get(sale.machine.merchantId), 'place of customers'),
  cause: 'vend',
  reference: `order/${sale.orderId}/${item.index}`,
  batch: batch ?? null,
})

const paidSale = ({ sale, order, lines }: Kept): PaidSale => ({
  orderId: order.id,
  machine: sale.machine,
  pointId: order.pointId,
  method: sale.data.method,
  businessType: typeOf(sale.data, lines),
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
