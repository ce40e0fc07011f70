import { refundState } from '@aisle/contract/refund/states'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import { refusedBy } from '../../kernel/constraint'
import type { Reader, Tx } from '../../kernel/context'
import { must } from '../../kernel/must'
import { refusal } from '../../kernel/refuse'
import type { NewRefund, RefundRow } from './refund.types'
import { stateful } from '../../kernel/states'

type MadeRefund = NewRefund & { id: number }

/**
 * Refunds come into being holding their part of the order, on orders that the caller has locked. The database refuses
 * more than was paid, and an item twice. @returns them with their ids
 */
export async function insertRefunds(tx: Tx, all: readonly NewRefund[], now: Date): Promise<MadeRefund[]> {
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
    nextAt: refundState.is(refund.state, 'refunding') ? now : null,
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
  const refunds = all.map((refund) => ({ ...refund, id: must(ids.get(refund.order.id), 'refund') }))
  await insertItems(tx, refunds)
  return refunds
}

async function insertItems(tx: Tx, all: readonly MadeRefund[]): Promise<void> {
  const items = all.flatMap(({ id: refundId, items: own }) =>
    own.map(({ orderId, index, productId, shareFen }) => ({ refundId, orderId, index, productId, shareFen })),
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

const refunds = stateful('refund', 'state', refundState, { versioned: true })

export type Change = {
  detail?: string | null
  nextAt?: Date | null
  endedAt?: Date
  channelRefundNo?: string | null
  decidedById?: number
}

/** @param refund locked, and of a state that allows the verb */
export async function moveRefund(
  tx: Tx,
  refund: RefundRow,
  verb: keyof typeof refundState.moves,
  change: Change,
  now: Date,
): Promise<void> {
  refund.state = await refunds.move(tx, refund, verb, written(change, now))
  refund.detail = change.detail ?? null
}

/** What was heard of one that stays where it is. */
export async function noteRefund(tx: Tx, refund: RefundRow, change: Change, now: Date): Promise<void> {
  const values = { ...written(change, now), version: sql<number>`version + 1` }
  await tx.updateTable('refund').set(values).where('id', '=', refund.id).execute()
  refund.detail = change.detail ?? null
}

const written = ({ detail, nextAt, endedAt, channelRefundNo, decidedById }: Change, now: Date) => ({
  detail: detail?.slice(0, 120) ?? null,
  nextAt: nextAt ?? null,
  endedAt: endedAt ?? null,
  ...(channelRefundNo && { channelRefundNo }),
  ...(decidedById !== undefined && { decidedBy: decidedById, decidedAt: now }),
})

export type RefundEvent = { refundId: number; verb: string; userId?: number | null; note?: string }

export async function appendEvents(tx: Tx, events: readonly RefundEvent[], now: Date): Promise<void> {
  if (events.length === 0) return
  const written = events.map(({ refundId, verb, userId = null, note = '' }) => {
    return { refundId, verb, userId, note: note.slice(0, 300) }
  })
  await sql`insert into refund_event (refund_id, at, verb, user_id, note)
    select refund_id, ${now}, verb, user_id, note
    from ${rows('e', written, { refundId: 'bigint', verb: 'text', userId: 'bigint', note: 'text' })}`.execute(tx)
}
