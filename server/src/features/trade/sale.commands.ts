import type { MessageData, MessageRefusal } from '@aisle/contract/device/messages'
import type { WrongSale } from '@aisle/contract/trade/states'
import { businessTime } from '../../kernel/businessDay'
import type { Tx } from '../../kernel/context'
import { postTransfers, salePostings } from '../ledger/public'
import { addPlaysToRollup } from '../lottery/public'
import { findCharges } from '../member/public'
import {
  findProducts,
  findSlots,
  type Move,
  openUnknownProducts,
  outsidePlaces,
  type ProductRef,
  recordMoves,
  type SlotRef,
  slotKey,
} from '../stock/public'
import { businessTypeOf, isMethodOpen, itemOutcome, saleTotals } from './order.rules'
import { insertItems, insertOrders, type NewItem, type NewOrder, takeNumbers } from './order.store'
import { addToRollups } from './rollup.store'
import { type HandedOut, orderNoOf, type Outcome, type PaidSale, type Reported, refused, taken } from './trade.types'
import { findWrong } from './wrongSale.reads'
import { problemOf, type WrongPiece } from './wrongSale.rules'

export type ReportedSale = Reported<MessageData<'sale'>>

type Kept = {
  sale: ReportedSale
  order: NewOrder & { id: number }
  lines: readonly Line[]
}
type Line = {
  slot: SlotRef
  product: ProductRef
  item: ReportedSale['data']['items'][number]
  /** Why it should not have been sold. */
  wrong: WrongSale | null
}

/**
 * Sales that machines settled themselves (cash, or while offline): order, items and stock in the caller's transaction,
 * which must end with `bookPaid`. A sale is taken once by its number. One that should not have been made is a fact all
 * the same: it is kept under the name of what was sold, as a case, and told. @returns an outcome for each, in the same
 * order, the ids of the orders that something is due back for, and the pieces that should not have been sold
 */
export async function takeSales(
  tx: Tx,
  sales: readonly ReportedSale[],
): Promise<{ outcomes: Outcome[]; paid: PaidSale[]; handedOut: HandedOut[]; short: number[]; wrong: WrongPiece[] }> {
  if (sales.length === 0) return { outcomes: [], paid: [], handedOut: [], short: [], wrong: [] }
  const slots = await findSlots(
    tx,
    sales.flatMap((sale) => sale.data.items.map((item) => ({ machineId: sale.machine.id, code: item.slot }))),
  )
  const products = await productsOf(
    tx,
    sales.filter((sale) => refusalOf(sale, slots) === null),
  )
  const read = sales.map((sale) => readLines(sale, slots, products))
  const wanted = sales.map((sale, i) => orderOf(sale, read[i] ?? []))
  const numbers = await takeNumbers(tx, firstOfEach(wanted.filter((_, i) => read[i])))
  const fresh: Kept[] = []
  const outcomes = sales.map((sale, i): Outcome => {
    const lines = read[i]
    const order = wanted[i]
    if (!lines || !order) return refused(refusalOf(sale, slots) ?? 'itemUnknown')
    const id = numbers.get(order.orderNo)
    if (id === undefined) return refused('orderNoReused')
    numbers.delete(order.orderNo)
    fresh.push({ sale, order: { ...order, id }, lines })
    return taken
  })
  const kept = await withWrong(tx, fresh)
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
    short: kept.filter(({ lines }) => lines.some(({ item }) => !item.ok)).map(({ order }) => order.id),
    wrong: kept.flatMap(wrongPieces),
  }
}

/** Which pieces came out that should not have been sold, and what is wrong with their orders by it. */
async function withWrong(tx: Tx, fresh: readonly Kept[]): Promise<Kept[]> {
  const out = fresh.flatMap(({ sale: { machine, occurredAt, receivedAt }, lines }) =>
    lines
      .filter(({ item }) => item.ok)
      .map((line) => ({ ...line, line, machine, occurredAt, receivedAt, batch: line.item.batch ?? null })),
  )
  const found = await findWrong(tx, out)
  const whys = new Map(out.map(({ line }, i) => [line, found[i] ?? null]))
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
  const known = await findProducts(
    tx,
    sold.map(({ code }) => code),
  )
  const opened = await openUnknownProducts(
    tx,
    sold.filter(({ code }) => !known.has(code)),
  )
  return new Map([...known, ...opened])
}

function readLines(
  sale: ReportedSale,
  slots: ReadonlyMap<string, SlotRef>,
  products: ReadonlyMap<string, ProductRef>,
): Line[] | null {
  if (refusalOf(sale, slots) !== null) return null
  return sale.data.items.flatMap((item) => {
    const slot = slots.get(slotKey(sale.machine.id, item.slot))
    // What came out is what the machine says, even where the plan here names another product.
    const product = products.get(codeOf(item))
    return slot && product ? [{ slot, product, item, wrong: null }] : []
  })
}

function orderOf(sale: ReportedSale, lines: readonly Line[]): NewOrder {
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

/** One insert can't take a number twice: of sales with the same number in a batch the first is meant. */
const firstOfEach = (orders: readonly NewOrder[]) => [
  ...new Map([...orders].reverse().map((order) => [order.orderNo, order])).values(),
]

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
