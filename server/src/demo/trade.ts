import { sql } from 'kysely'
import { rows } from '../db/rows'
import { postTransfers, salePostings, type Transfer } from '../features/ledger/public'
import type { Tx } from '../kernel/context'
import { type Paid, seedCards } from './cards'
import { takeIds } from './fleet'
import type { DemoSale } from './history'
import { idOf, type Ids } from './people'
import { type Random, randomFrom, seedOf } from './random'
import type { Traded } from './stock'

/** An order as it will stand in the books. */
type Order = {
  id: number
  occurredMs: number
  sale: DemoSale
  traded: Traded
  lines: Line[]
  totalFen: number
  card?: Paid
}
type Line = {
  slotId: number
  productId: number
  listFen: number
  batch: string | null
  isJammed: boolean
  shippedMs: number
}

/** Rows of a statement: large, since sums follow once a statement, but not so large that memory notices. */
const CHUNK = 5_000

export type TradeIds = { products: Ids; collecting: ReadonlySet<string> }

/** Orders, items, ledger and stock moves, numbered in the order in which they happened. */
export async function seedTrade(tx: Tx, all: readonly Traded[], ids: TradeIds): Promise<void> {
  const sales = all.flatMap((traded) => traded.history.sales.map((sale) => ({ sale, traded })))
  sales.sort((a, b) => a.sale.occurredMs - b.sale.occurredMs)
  const orderIds = await takeIds(tx, 'order_number', sales.length)
  const random = randomFrom(seedOf('numbers'))
  const orders = sales.map(({ sale, traded }, index) => orderOf(sale, traded, orderIds[index] ?? 0, ids.products))
  await payByCards(tx, orders)
  for (let from = 0; from < orders.length; from += CHUNK) {
    const chunk = orders.slice(from, from + CHUNK)
    await insertOrders(tx, chunk, random)
    await insertItems(tx, chunk)
    await postTransfers(
      tx,
      chunk.map((order) => transferOf(order, ids.collecting)),
    )
  }
  await deriveNumbersAndMoves(tx)
}

function orderOf(sale: DemoSale, traded: Traded, id: number, productIds: Ids): Order {
  const lines = sale.items.map(({ slot: at, batch, isJammed, shippedMs }): Line => {
    const slot = traded.slots[at]
    const productId = idOf(productIds, slot?.product?.code ?? '')
    return {
      slotId: traded.slotIds[at]?.slotId ?? 0,
      productId,
      listFen: slot?.priceFen ?? 0,
      batch,
      isJammed,
      shippedMs,
    }
  })
  const totalFen = lines.reduce((sum, line) => sum + askedFen(sale, line), 0)
  return { id, occurredMs: sale.occurredMs, sale, traded, lines, totalFen }
}

/** What was bought elsewhere and is only picked up here costs nothing here. */
const askedFen = (sale: DemoSale, line: Line) => (sale.method === 'pickup_code' ? 0 : line.listFen)

/** Text, since PostgreSQL's driver takes its time over dates. */
const instant = (ms: number) => new Date(ms).toISOString()

async function insertOrders(tx: Tx, orders: readonly Order[], random: Random): Promise<void> {
  const written = orders.map((order) => orderRow(order, random))
  await sql`insert into orders (id, order_no, merchant_id, machine_id, point_id, occurred_at, machine_order_no,
      business_type, method, payment_state, ship_state, order_state, problem, is_offline, item_count, total_fen,
      paid_fen, third_party_no, tender_code, received_at, business_day, paid_at, ship_sent_at, ship_received_at,
      finished_at)
    select o.id, order_no, o.merchant_id, machine_id, m.point_id, occurred_at, machine_order_no, business_type, method,
      'paid', ship_state, 'done', problem, is_offline, item_count, total_fen, total_fen, third_party_no, tender_code,
      received_at, business_day, paid_at, ship_sent_at, ship_received_at, finished_at
    from ${rows('o', written, {
      id: 'bigint',
      orderNo: 'text',
      merchantId: 'bigint',
      machineId: 'bigint',
      occurredAt: 'timestamptz',
      machineOrderNo: 'text',
      businessType: 'text',
      method: 'text',
      shipState: 'text',
      problem: 'text',
      isOffline: 'boolean',
      itemCount: 'int',
      totalFen: 'bigint',
      thirdPartyNo: 'text',
      tenderCode: 'text',
      receivedAt: 'timestamptz',
      businessDay: 'date',
      paidAt: 'timestamptz',
      shipSentAt: 'timestamptz',
      shipReceivedAt: 'timestamptz',
      finishedAt: 'timestamptz',
    })} join machine m on m.id = o.machine_id`.execute(tx)
}

function orderRow({ id, sale, traded, lines, totalFen, card }: Order, random: Random) {
  const jammed = lines.filter((line) => line.isJammed).length
  return {
    id,
    orderNo: `${traded.machine.code}-${sale.machineOrderNo}`,
    merchantId: traded.merchantId,
    machineId: traded.machineId,
    occurredAt: instant(sale.occurredMs),
    machineOrderNo: sale.machineOrderNo,
    businessType: businessTypeOf(sale, traded),
    method: sale.method,
    shipState: jammed === lines.length ? 'invalid' : 'completed',
    problem: jammed > 0 ? 'undelivered' : null,
    isOffline: sale.isOffline,
    itemCount: lines.length,
    totalFen,
    thirdPartyNo: channelNo(sale, random),
    tenderCode: card?.physicalNo ?? null,
    receivedAt: instant(sale.receivedMs),
    businessDay: sale.day,
    paidAt: instant(sale.paidMs),
    shipSentAt: sale.shipSentMs === null ? null : instant(sale.shipSentMs),
    shipReceivedAt: sale.shipReceivedMs === null ? null : instant(sale.shipReceivedMs),
    finishedAt: instant(sale.finishedMs),
  }
}

function businessTypeOf({ method, items }: DemoSale, { slots }: Traded): string {
  if (method === 'pickup_code') return 'pickup'
  if (method === 'member_card') return 'member'
  return items.some((item) => slots[item.slot]?.product?.medicineClass === 'rx') ? 'prescription' : 'sale'
}

/** As long as the channels' own numbers, with the day where they carry it; none where no channel is asked. */
function channelNo({ method, day }: DemoSale, random: Random): string | null {
  const eight = () => String(random.between(0, 99_999_999)).padStart(8, '0')
  const date = day.replaceAll('-', '')
  if (method === 'alipay') return `${date}2200${eight()}${eight()}`
  if (method === 'wechat') return `42000${eight()}${date}${eight().slice(1)}`
  if (method === 'unionpay') return `${date}${eight()}${eight().slice(3)}`
  return method === 'other' ? `${date}${eight()}${eight().slice(4)}` : null
}

async function insertItems(tx: Tx, orders: readonly Order[]): Promise<void> {
  const items = orders.flatMap((order) => order.lines.map((line, index) => itemRow(order, line, index)))
  await sql`insert into order_item (merchant_id, occurred_at, order_id, index, slot_id, product_id, list_price_fen,
      price_fen, cost_fen, state, motor_code, sensor_code, batch, trace_code, shipped_at)
    select i.merchant_id, occurred_at, order_id, index, slot_id, product_id, list_fen, i.price_fen, p.cost_fen,
      i.state, '100', sensor_code, batch, trace_code, shipped_at
    from ${rows('i', items, {
      merchantId: 'bigint',
      occurredAt: 'timestamptz',
      orderId: 'bigint',
      index: 'smallint',
      slotId: 'bigint',
      productId: 'bigint',
      listFen: 'bigint',
      priceFen: 'bigint',
      state: 'text',
      sensorCode: 'text',
      batch: 'text',
      traceCode: 'text',
      shippedAt: 'timestamptz',
    })} join product p on p.id = i.product_id`.execute(tx)
}

const itemRow = (order: Order, line: Line, index: number) => ({
  merchantId: order.traded.merchantId,
  occurredAt: instant(order.occurredMs),
  orderId: order.id,
  index,
  slotId: line.slotId,
  productId: line.productId,
  listFen: line.listFen,
  priceFen: askedFen(order.sale, line),
  state: line.isJammed ? 'jammed' : 'dispensed',
  // The motor turned all the same; the light curtain saw nothing fall.
  sensorCode: line.isJammed ? '03' : '01',
  batch: line.batch,
  traceCode: line.batch === null || line.isJammed ? null : traceCode(order.id, line.productId, index),
  shippedAt: instant(line.shippedMs),
})

/** 20 digits, one for each unit: China's drug traceability code begins with the product's seven. */
const traceCode = (orderId: number, productId: number, index: number) =>
  `8${String(productId).padStart(6, '0')}${String(orderId * 20 + index).padStart(13, '0')}`

/** The numbers that are taken, and what left the slots: both follow from the orders as they stand. */
async function deriveNumbersAndMoves(tx: Tx): Promise<void> {
  await sql`insert into order_number (order_id, order_no, merchant_id, machine_id, occurred_at)
    overriding system value select id, order_no, merchant_id, machine_id, occurred_at from orders`.execute(tx)
  await sql`insert into stock_move
      (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause, reference, batch)
    select i.merchant_id, i.shipped_at, i.product_id, 1, s.place_id, c.id, 'vend',
      'order/' || i.order_id || '/' || i.index, i.batch
    from order_item i join slot s on s.id = i.slot_id
    join place c on c.merchant_id = i.merchant_id and c.kind = 'customer'
    where i.state = 'dispensed' order by i.shipped_at`.execute(tx)
}

const transferOf = ({ id, sale, traded, totalFen, card }: Order, collecting: ReadonlySet<string>): Transfer => ({
  kind: 'sale',
  reference: String(id),
  merchantId: traded.merchantId,
  postedAt: new Date(sale.shipSentMs === null ? sale.receivedMs : sale.paidMs),
  businessDay: sale.day,
  postings: salePostings({
    method: sale.method,
    paidFen: totalFen,
    merchantId: traded.merchantId,
    machineCode: traded.machine.code,
    collectsPayment: collecting.has(traded.machine.merchant),
    card,
  }),
})

/** Sales that members' cards paid know whose. */
async function payByCards(tx: Tx, orders: readonly Order[]): Promise<void> {
  const byCard = orders.filter((order) => order.sale.method === 'member_card')
  const [first] = orders
  if (!first) return
  const sales = byCard.map(({ id, occurredMs, totalFen, sale, traded }) => ({
    orderId: id,
    merchantId: traded.merchantId,
    machineId: traded.machineId,
    occurredMs,
    day: sale.day,
    amountFen: totalFen,
  }))
  const paid = await seedCards(tx, sales, first.occurredMs)
  for (const order of byCard) order.card = paid.get(order.id)
}
