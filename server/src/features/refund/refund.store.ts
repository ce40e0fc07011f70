import type { RefundState } from '@aisle/contract/refund/states'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import { refusedBy } from '../../kernel/constraint'
import type { Reader, Tx } from '../../kernel/context'
import { refusal } from '../../kernel/refuse'
import type { NewRefund, RefundRow } from './refund.types'

/**
 * Refunds come into being holding their part of the order, on orders that the caller has locked. The database refuses
 * more than was paid, and an item twice. @returns their ids, in the same order
 */
export async function insertRefunds(tx: Tx, all: readonly NewRefund[], now: Date): Promise<number[]> {
  if (all.length === 0) return []
  const written = all.map(({ order, items: _, ...refund }) => ({
    ...refund,
    refundNo: refundNoOf(order.id, order.refunds + 1, now),
    orderId: order.id,
    merchantId: order.merchantId,
    occurredAt: order.occurredAt,
    machineId: order.machineId,
    orderNo: order.orderNo,
    method: order.method,
    attemptId: order.attemptId,
    nextAt: refund.state === 'refunding' ? now : null,
  }))
  const insert = sql<{ id: number; orderId: number }>`
    insert into refund (refund_no, order_id, merchant_id, occurred_at, machine_id, order_no, method, attempt_id,
      amount_fen, cause, reason, state, detail, requested_by, requested_at, next_at, limit_fen)
    select refund_no, order_id, merchant_id, occurred_at, machine_id, order_no, method, attempt_id, amount_fen, cause,
      reason, state, detail, requested_by_id, ${now}, next_at, limit_fen
    from ${rows('r', written, {
      refundNo: 'text',
      orderId: 'bigint',
      merchantId: 'bigint',
      occurredAt: 'timestamptz',
      machineId: 'bigint',
      orderNo: 'text',
      method: 'text',
      attemptId: 'bigint',
      amountFen: 'bigint',
      cause: 'text',
      reason: 'text',
      state: 'text',
      detail: 'text',
      requestedById: 'bigint',
      nextAt: 'timestamptz',
      limitFen: 'bigint',
    })} order by order_id returning id, order_id as "orderId"`.execute(tx)
  const made = await refusedBy('orders_held', insert, () => refusal('refund.exceedsPaid'))
  const ids = new Map(made.rows.map(({ id, orderId }) => [orderId, id]))
  const inOrder = all.map(({ order }) => ids.get(order.id) ?? 0)
  await insertItems(tx, all, inOrder)
  return inOrder
}

async function insertItems(tx: Tx, all: readonly NewRefund[], ids: readonly number[]): Promise<void> {
  const items = all.flatMap((refund, at) =>
    refund.items.map(({ orderId, index, productId, shareFen }) => {
      return { refundId: ids[at] ?? 0, orderId, index, productId, shareFen }
    }),
  )
  if (items.length === 0) return
  const insert = sql`insert into refund_item (refund_id, order_id, item_index, product_id, amount_fen)
    select * from ${rows('i', items, {
      refundId: 'bigint',
      orderId: 'bigint',
      index: 'smallint',
      productId: 'bigint',
      shareFen: 'bigint',
    })} order by 2, 3`.execute(tx)
  await refusedBy('refund_item_once', insert, () => refusal('refund.itemTaken'))
}

/** The day, the order and which of its refunds: short enough for every provider, and never used twice. */
export function refundNoOf(orderId: number, which: number, now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '')
  return `R${day}${String(orderId).padStart(9, '0')}${String(which).padStart(2, '0')}`
}

const columns = sql`r.id, r.refund_no as "refundNo", r.order_id as "orderId", r.order_no as "orderNo",
  r.merchant_id as "merchantId", r.machine_id as "machineId", r.method, r.attempt_id as "attemptId",
  r.amount_fen as "amountFen", r.cause, r.reason, r.state, r.detail, r.tries, r.asks, r.sent_at as "sentAt",
  r.requested_by as "requestedById", r.requested_at as "requestedAt", r.limit_fen as "limitFen",
  r.channel_refund_no as "channelRefundNo",
  r.pay_back_by as "payBackById", r.pay_back_way as "payBackWay"`

export async function findRefunds(db: Reader, which: RawBuilder<unknown>): Promise<RefundRow[]> {
  const found = await sql<RefundRow>`select ${columns} from refund r where ${which} order by r.id`.execute(db)
  return found.rows
}

/** Our number of the payment that a refund goes back by; undefined where a channel has nothing to do with it. */
export async function attemptOfRefund(db: Reader, refundNo: string): Promise<string | undefined> {
  const found = await sql<{ attemptNo: string }>`select a.attempt_no as "attemptNo" from refund r
    join payment_attempt a on a.id = r.attempt_id where r.refund_no = ${refundNo}`.execute(db)
  return found.rows[0]?.attemptNo
}

/** Of orders that the caller has locked. */
export async function lockRefunds(tx: Tx, which: RawBuilder<unknown>): Promise<RefundRow[]> {
  const found = await sql<RefundRow>`select ${columns} from refund r where ${which} order by r.id
    for update of r`.execute(tx)
  return found.rows
}

export type Change = {
  state: RefundState
  detail?: string | null
  nextAt?: Date | null
  endedAt?: Date
  channelRefundNo?: string | null
  decidedById?: number
}

/** From the state that was read, and from no other: who comes second changes nothing. @returns whether it moved */
export async function moveRefund(tx: Tx, refund: RefundRow, change: Change, now: Date): Promise<boolean> {
  const { state, detail = null, nextAt = null, endedAt = null, channelRefundNo = null, decidedById = null } = change
  const moved = await sql`update refund set state = ${state}, detail = ${detail?.slice(0, 120) ?? null},
      next_at = ${nextAt}, ended_at = ${endedAt}, version = version + 1,
      channel_refund_no = coalesce(${channelRefundNo}, channel_refund_no),
      decided_by = coalesce(${decidedById}, decided_by),
      decided_at = case when ${decidedById}::bigint is null then decided_at else ${now} end
    where id = ${refund.id} and state = ${refund.state}`.execute(tx)
  if (moved.numAffectedRows === 0n) return false
  refund.state = state
  refund.detail = detail
  return true
}

export type RefundEvent = { refundId: number; verb: string; userId?: number | null; note?: string }

export async function tell(tx: Tx, events: readonly RefundEvent[], now: Date): Promise<void> {
  if (events.length === 0) return
  const written = events.map(({ refundId, verb, userId = null, note = '' }) => {
    return { refundId, verb, userId, note: note.slice(0, 300) }
  })
  await sql`insert into refund_event (refund_id, at, verb, user_id, note)
    select refund_id, ${now}, verb, user_id, note
    from ${rows('e', written, { refundId: 'bigint', verb: 'text', userId: 'bigint', note: 'text' })}`.execute(tx)
}
