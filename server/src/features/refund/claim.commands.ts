import { refundState } from '@aisle/contract/refund/states'
import { isGranted } from '@aisle/contract/identity/permissions'
import { sql } from 'kysely'
import type { CommandContext, Tx } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { existing } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { statesIn } from '../../kernel/states'
import { isUndelivered } from '../trade/public'
import { openDue, SEND } from './due.commands'
import { findItems, findOrderInSight, itemsUnderWay, lockOrders } from './order.store'
import { apply, approve } from './refund.commands'
import { isPayable, paybackRouteOf } from './refund.rules'
import { appendEvents, lockRefunds, moveRefund } from './refund.store'
import { settleOrders } from './settle'

/**
 * Sends what is due back of an order by the rule and waits for a person, since its customer has asked for it too. Not
 * where a person has decided otherwise, where it is more than `mostFen`, or where no channel can pay it.
 * @returns whether the money is on its way now
 */
export async function sendDue(tx: Tx, orderId: number, mostFen: number, now: Date): Promise<boolean> {
  await lockOrders(tx, [orderId])
  const decided = await sql`select 1 from refund where order_id = ${orderId} and (requested_by is not null
    or decided_by is not null or pay_back_by is not null) limit 1`.execute(tx)
  if (decided.rows.length > 0) return false
  await openDue(tx, [orderId], now)
  const [order] = await lockOrders(tx, [orderId])
  const refunds = await lockRefunds(tx, sql`r.order_id = ${orderId}`)
  const waiting = refunds.find(({ state }) => refundState.can(state, 'approve'))
  if (!order || !waiting) return refunds.some(({ state }) => refundState.is(state, 'gone'))
  const route = paybackRouteOf({ ...order, paidAt: order.paidAt ?? now, refunds: order.refunds - 1 }, now)
  const isUnderWay = (await itemsUnderWay(tx, orderId)).length > 0
  if (waiting.amountFen > mostFen || isUnderWay || !isPayable(route)) return false
  await moveRefund(tx, waiting, 'approve', { nextAt: now }, now)
  await settleOrders(tx, [orderId], now)
  await appendEvents(tx, [{ refundId: waiting.id, verb: 'claim' }], now)
  await addJob(tx, SEND)
  return true
}

/**
 * What a person gives a customer back of an order, by the one way there is: what waits for review already is approved
 * by who may, all else is asked for, its items where the amount is theirs.
 * @returns whether the money is on its way; 'mayNot' where it waits for somebody who may approve it
 */
export async function payBackOrder(
  ctx: CommandContext,
  { orderNo, amountFen, reason }: { orderNo: string; amountFen: number; reason: string },
): Promise<boolean | 'mayNot'> {
  const order = existing(await findOrderInSight(ctx.tx, sightOf(ctx.actor), orderNo))
  const found = await sql<{ id: number; amountFen: number }>`select id, amount_fen as "amountFen" from refund
    where order_id = ${order.id} and state = ${sql.lit(refundState.initial)} order by id limit 1`.execute(ctx.tx)
  const waiting = found.rows[0]
  if (waiting) {
    if (!isGranted(ctx.actor.grants, 'refund.approve')) return 'mayNot'
    const { state } = await approve(ctx, { id: waiting.id })
    return refundState.is(state, 'gone')
  }
  const items = (await findItems(ctx.tx, [order])).get(order.id) ?? []
  const owed = items.filter(({ state, isHeld }) => !isHeld && isUndelivered(state))
  const isOwed = owed.length > 0 && owed.reduce((sum, { shareFen }) => sum + shareFen, 0) === amountFen
  const what = isOwed ? { items: owed.map(({ index }) => index), amountFen: null } : { items: [], amountFen }
  const { state } = await apply(ctx, { orderNo, reason, ...what })
  return refundState.is(state, 'gone')
}

/** Refunds of orders whose money is with the customer, or on its way. */
export const isGoneBack = sql`r.state in ${statesIn(refundState, 'gone')}`
