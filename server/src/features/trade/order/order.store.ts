import { itemState, orderState, paymentState, type Problem, type WrongSale } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { grouped } from '../../../kernel/must'
import type { ItemRow, OrderRow } from '../trade.types'
import { statesFrom, statesIn, stateTo } from '../../../kernel/states'

export type NewOrder = {
  orderNo: string
  machineOrderNo: string
  merchantId: number
  machineId: number
  /** Where the machine stands now. */
  pointId: number
  businessType: string
  method: string
  paymentState: string
  shipState: string
  orderState: string
  problem: Problem | null
  isOffline: boolean
  itemCount: number
  totalFen: number
  discountFen: number
  paidFen: number
  /** What it was paid with or sold on, where there was a code: of a pick-up code, a card, a prescription. */
  tenderCode?: string | null
  prescriptionCode?: string | null
  isLottery?: boolean
  occurredAt: Date
  receivedAt: Date
  businessDay: string
  paidAt: Date | null
  finishedAt: Date | null
}

/** Those whose number was free, with the id that it stands for; of two with the same number the first. */
export async function takeNumbers<T extends { order: NewOrder }>(
  tx: Tx,
  wanted: readonly T[],
): Promise<(T & { order: { id: number } })[]> {
  const orders = wanted.map(({ order }) => order)
  const took = await sql<{ order_no: string; order_id: number }>`
    insert into order_number (order_no, merchant_id, machine_id, occurred_at)
    select * from ${rows('n', orders, {
      orderNo: 'text',
      merchantId: 'bigint',
      machineId: 'bigint',
      occurredAt: 'timestamptz',
    })}
    on conflict (order_no) do nothing returning order_no, order_id`.execute(tx)
  const ids = new Map(took.rows.map((row) => [row.order_no, row.order_id]))
  return wanted.flatMap((one) => {
    const { orderNo } = one.order
    const id = ids.get(orderNo)
    ids.delete(orderNo)
    return id === undefined ? [] : [{ ...one, order: { ...one.order, id } }]
  })
}

export async function insertOrders(tx: Tx, orders: readonly (NewOrder & { id: number })[]): Promise<void> {
  if (orders.length === 0) return
  const written = orders.map((order) => ({
    ...order,
    tenderCode: order.tenderCode ?? null,
    prescriptionCode: order.prescriptionCode ?? null,
    isLottery: order.isLottery ?? false,
  }))
  await sql`insert into orders (id, order_no, machine_order_no, merchant_id, machine_id, point_id, business_type,
      method, payment_state, ship_state, order_state, problem, is_offline, item_count, total_fen, discount_fen,
      paid_fen, tender_code, prescription_code, is_lottery, occurred_at, received_at, business_day, paid_at,
      finished_at)
    select id, order_no, machine_order_no, merchant_id, machine_id, point_id, business_type, method, payment_state,
      ship_state, order_state, problem, is_offline, item_count, total_fen, discount_fen, paid_fen, tender_code,
      prescription_code, is_lottery, occurred_at, received_at, business_day, paid_at, finished_at
    from ${rows('o', written, {
      id: 'bigint',
      orderNo: 'text',
      machineOrderNo: 'text',
      merchantId: 'bigint',
      machineId: 'bigint',
      pointId: 'bigint',
      businessType: 'text',
      method: 'text',
      paymentState: 'text',
      shipState: 'text',
      orderState: 'text',
      problem: 'text',
      isOffline: 'boolean',
      itemCount: 'int',
      totalFen: 'bigint',
      discountFen: 'bigint',
      paidFen: 'bigint',
      tenderCode: 'text',
      prescriptionCode: 'text',
      isLottery: 'boolean',
      occurredAt: 'timestamptz',
      receivedAt: 'timestamptz',
      businessDay: 'date',
      paidAt: 'timestamptz',
      finishedAt: 'timestamptz',
    })}`.execute(tx)
}

export type NewItem = {
  merchantId: number
  occurredAt: Date
  orderId: number
  index: number
  slotId: number
  productId: number
  listPriceFen: number
  priceFen: number
  /** What a piece cost the merchant at the time. */
  costFen: number
  state: string
  motorCode: string | null
  sensorCode: string | null
  batch: string | null
  traceCode: string | null
  shippedAt: Date | null
  wrong?: WrongSale | null
}

export async function insertItems(tx: Tx, items: readonly NewItem[]): Promise<void> {
  if (items.length === 0) return
  const written = items.map(({ wrong = null, ...item }) => ({ ...item, wrong }))
  await sql`insert into order_item (merchant_id, occurred_at, order_id, index, slot_id, product_id, list_price_fen,
      price_fen, cost_fen, state, motor_code, sensor_code, batch, trace_code, shipped_at, wrong)
    select merchant_id, occurred_at, order_id, index, slot_id, product_id, list_price_fen, price_fen, cost_fen, state,
      motor_code, sensor_code, batch, trace_code, shipped_at, wrong
    from ${rows('i', written, {
      merchantId: 'bigint',
      occurredAt: 'timestamptz',
      orderId: 'bigint',
      index: 'smallint',
      slotId: 'bigint',
      productId: 'bigint',
      listPriceFen: 'bigint',
      priceFen: 'bigint',
      costFen: 'bigint',
      state: 'text',
      motorCode: 'text',
      sensorCode: 'text',
      batch: 'text',
      traceCode: 'text',
      shippedAt: 'timestamptz',
      wrong: 'text',
    })}`.execute(tx)
}

/** Numbers that no order came of: whoever asked may ask again with them. */
export async function freeNumbers(tx: Tx, orderIds: readonly number[]): Promise<void> {
  if (orderIds.length === 0) return
  await sql`delete from order_number where order_id = any(${[...orderIds]}::bigint[])`.execute(tx)
}

/** Locked, in the order of their ids, so that two batches never wait for each other in a ring. */
export async function lockByNumbers(tx: Tx, orderNos: readonly string[]): Promise<Map<string, OrderRow>> {
  const found = await sql<OrderRow>`
    select o.id, o.merchant_id, o.machine_id, o.point_id, o.order_no, o.machine_order_no, o.business_type, o.method,
      o.payment_state, o.ship_state, o.order_state, o.problem, o.is_lottery, o.is_offline, o.total_fen, o.discount_fen,
      o.paid_fen, o.refunded_fen, o.held_fen, o.prescription_code, o.tender_code, o.third_party_no, o.occurred_at,
      o.business_day, o.received_at, o.ship_received_at
    from order_number n
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    where n.order_no = any(${[...new Set(orderNos)]}::text[]) order by o.id for update of o`.execute(tx)
  return new Map(found.rows.map((row) => [row.order_no, row]))
}

export async function findItems(tx: Tx, orders: readonly OrderRow[]): Promise<Map<number, ItemRow[]>> {
  const keys = orders.map((order) => ({ merchantId: order.merchant_id, occurredAt: order.occurred_at, id: order.id }))
  const found = await sql<ItemRow>`
    select i.order_id, i.index, i.slot_id, s.code as slot_code, s.place_id, i.product_id, i.price_fen, i.cost_fen,
      i.state, i.batch, i.trace_code, i.redelivered_at
    from ${rows('k', keys, { merchantId: 'bigint', occurredAt: 'timestamptz', id: 'bigint' })}
    join order_item i on i.merchant_id = k.merchant_id and i.occurred_at = k.occurred_at and i.order_id = k.id
    join slot s on s.id = i.slot_id order by i.order_id, i.index`.execute(tx)
  return grouped(found.rows, (item) => item.order_id)
}

export type OrderChange = { merchantId: number; occurredAt: Date; id: number }
const changeKey = { merchantId: 'bigint', occurredAt: 'timestamptz', id: 'bigint' } as const
const sameOrder = sql`o.merchant_id = c.merchant_id and o.occurred_at = c.occurred_at and o.id = c.id`

export type Payment = OrderChange & { paidFen: number; channelNo: string; paidAt: Date }

/** unpaid → paid; the rows are locked and checked against the state table by the caller. */
export async function markPaid(tx: Tx, payments: readonly Payment[]): Promise<void> {
  if (payments.length === 0) return
  await sql`update orders o set payment_state = ${stateTo(paymentState, 'pay')}, paid_fen = c.paid_fen,
    third_party_no = c.channel_no,
      paid_at = c.paid_at
    from ${rows('c', payments, { ...changeKey, paidFen: 'bigint', channelNo: 'text', paidAt: 'timestamptz' })}
    where ${sameOrder} and o.payment_state in ${statesFrom(paymentState, 'pay')}`.execute(tx)
}

export async function markShipSent(tx: Tx, orders: readonly { orderNo: string; at: Date }[]): Promise<void> {
  await sql`update orders o set ship_sent_at = s.at
    from ${rows('s', orders, { orderNo: 'text', at: 'timestamptz' })} join order_number n on n.order_no = s.order_no
    where o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
      and o.ship_sent_at is null`.execute(tx)
}

export async function markShipReceived(tx: Tx, orders: readonly (OrderChange & { at: Date })[]): Promise<void> {
  if (orders.length === 0) return
  await sql`update orders o set ship_received_at = coalesce(o.ship_received_at, c.at)
    from ${rows('c', orders, { ...changeKey, at: 'timestamptz' })} where ${sameOrder}`.execute(tx)
}

export type ItemResult = OrderChange & {
  index: number
  state: string
  motorCode: string | null
  sensorCode: string | null
  batch: string | null
  traceCode: string | null
  shippedAt: Date
  /** As the machine told, where it did. */
  durationMs?: number | null
  attempts?: number | null
}

export async function markItems(tx: Tx, results: readonly ItemResult[]): Promise<void> {
  if (results.length === 0) return
  const told = results.map(({ durationMs = null, attempts = null, ...result }) => ({ ...result, durationMs, attempts }))
  await sql`update order_item o set state = c.state, motor_code = c.motor_code, sensor_code = c.sensor_code,
      batch = c.batch, trace_code = c.trace_code, shipped_at = c.shipped_at, duration_ms = c.duration_ms,
      attempts = c.attempts
    from ${rows('c', told, {
      ...changeKey,
      index: 'smallint',
      state: 'text',
      motorCode: 'text',
      sensorCode: 'text',
      batch: 'text',
      traceCode: 'text',
      shippedAt: 'timestamptz',
      durationMs: 'int',
      attempts: 'smallint',
    })}
    where o.merchant_id = c.merchant_id and o.occurred_at = c.occurred_at and o.order_id = c.id
      and o.index = c.index and o.state in ${statesIn(itemState, 'untold')}`.execute(tx)
}

export type Finished = OrderChange & { shipState: string; problem: string | null; finishedAt: Date }

export async function markFinished(tx: Tx, finished: readonly Finished[]): Promise<void> {
  if (finished.length === 0) return
  await sql`update orders o set ship_state = c.ship_state, problem = c.problem,
    order_state = ${stateTo(orderState, 'finish')},
      finished_at = coalesce(o.finished_at, c.finished_at)
    from ${rows('c', finished, { ...changeKey, shipState: 'text', problem: 'text', finishedAt: 'timestamptz' })}
    where ${sameOrder}`.execute(tx)
}
