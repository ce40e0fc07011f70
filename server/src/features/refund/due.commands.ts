import { orderState } from '@aisle/contract/trade/states'
import { refundState } from '@aisle/contract/refund/states'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { Tx } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { dueBack } from '../trade/public'
import { findItems, lockOrders } from './order.store'
import { causeOf, sentOrHanded, paybackRouteOf } from './refund.rules'
import { insertRefunds, appendEvents } from './refund.store'
import type { NewRefund, RefundItem, RefundOrder } from './refund.types'
import { settleOrders } from './settle'

/** The job that asks channels and cards to pay; also each minute. */
export const SEND = 'refund.send'

/**
 * What orders that have ended still owe in money is on its way back, or waits for a person: each item once, whatever
 * is reported how often (specification §9: on ship failure or jam at once if auto-refund is on; after five minutes
 * without an answer; lottery orders never). Nothing is asked of a channel here; the job does that after the commit.
 */
export async function openDue(tx: Tx, orderIds: readonly number[], now: Date): Promise<void> {
  const ids = await withProblem(tx, orderIds)
  if (ids.length === 0) return
  const orders = await lockOrders(tx, ids)
  const items = await findItems(tx, orders)
  const opened = orders.flatMap((order) => dueOf(order, items.get(order.id) ?? [], now) ?? [])
  const made = await insertRefunds(tx, opened, now)
  const events = made.map(({ id: refundId, state, detail, order }) => {
    return { refundId, verb: 'open', note: order.autoRefund ? (detail ?? state) : 'autoRefundOff' }
  })
  await appendEvents(tx, events, now)
  await settleOrders(tx, ids, now)
  if (opened.some(({ state }) => refundState.is(state, 'refunding'))) await addJob(tx, SEND)
  if (opened.length > 0) await announceRefunds(tx, opened)
}

/** Most orders end well: of them nothing more is read. */
async function withProblem(tx: Tx, orderIds: readonly number[]): Promise<number[]> {
  if (orderIds.length === 0) return []
  const found = await sql<{ id: number }>`select o.id from order_number n
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    where n.order_id = any(${[...orderIds]}::bigint[]) and o.problem is not null and o.paid_fen > 0`.execute(tx)
  return found.rows.map(({ id }) => id)
}

function dueOf(order: RefundOrder, items: readonly RefundItem[], now: Date): NewRefund | null {
  const due = dueBack(order, items)
  const { amountFen } = due
  if (amountFen === 0 || order.paidAt === null) return null
  const route = paybackRouteOf({ ...order, paidAt: order.paidAt }, now)
  const cause = orderState.is(order.orderState, 'closed') ? 'other' : causeOf(due.items.map(({ state }) => state))
  const sent = order.autoRefund ? sentOrHanded(route) : { state: refundState.initial, detail: null }
  return { order, amountFen, cause, reason: '', ...sent, items: due.items, requestedById: null, limitFen: null }
}

async function announceRefunds(tx: Tx, opened: readonly NewRefund[]): Promise<void> {
  const merchantIds = [...new Set(opened.map(({ order }) => order.merchantId))]
  await announceChanged(tx, merchantIds)
}

/** Lists of refunds and problems that are open in a browser are read again. */
export async function announceChanged(tx: Tx, merchantIds: readonly number[]): Promise<void> {
  const found = await sql<{ above: number[] | null }>`select json_agg(distinct one.above) as above
    from merchant, unnest(path) as one(above) where merchant.id = any(${[...merchantIds]}::bigint[])`.execute(tx)
  const above = found.rows[0]?.above ?? []
  await announce(tx, { topic: 'changes', kinds: ['refund', 'problem'], merchantIds: [...merchantIds], above })
}
