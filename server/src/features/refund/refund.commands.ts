import type { applyRefund, approveRefund, rejectRefund } from '@aisle/contract/refund/verbs'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RefundCause, refundState } from '@aisle/contract/refund/states'
import { refundSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { SEND } from './due.commands'
import { changed, hold, record, refusePayBackAsked, refuseUnderWay } from './hold'
import { isUndelivered } from '../trade/public'
import { findItems, findOrderInSight, itemsUnderWay, lockOrders } from './order.store'
import { applyRefusal, causeOf, isOwnAboveLimit, isPayable, sentOrHanded, paybackRouteOf } from './refund.rules'
import { insertRefunds, moveRefund } from './refund.store'
import type { NewRefund, RefundItem } from './refund.types'
import { settleOrders } from './settle'

/** Up to the limit who may ask for it sends it; above, another person looks first. */
export async function apply(ctx: CommandContext, input: InputOf<typeof applyRefund>) {
  const now = ctx.now()
  const seen = existing(await findOrderInSight(ctx.tx, sightOf(ctx.actor), input.orderNo))
  const order = existing((await lockOrders(ctx.tx, [seen.id]))[0])
  const why = applyRefusal(order)
  if (why || order.paidAt === null) refuse(why ?? 'refund.notPaid')
  const items = (await findItems(ctx.tx, [order])).get(order.id) ?? []
  const chosen = chosenOf(items, input.items)
  const underWay = await itemsUnderWay(ctx.tx, order.id)
  if (underWay.some((index) => chosen.length === 0 || chosen.some((item) => item.index === index))) {
    refuse('refund.underWay')
  }
  const leftFen = order.paidFen - order.heldFen
  if (leftFen === 0) refuse('refund.nothingLeft')
  const amountFen = input.amountFen ?? chosen.reduce((sum, { shareFen }) => sum + shareFen, 0)
  if (amountFen > leftFen) refuse('refund.exceedsPaid')
  if (amountFen === 0) refuse('refund.nothingLeft')
  const limitFen = await settingOf(ctx.tx, refundSecondPerson, order.merchantId)
  const route = paybackRouteOf({ ...order, paidAt: order.paidAt }, now)
  const isAbove = order.unseenFen + amountFen > limitFen
  const sent = isAbove ? { state: refundState.initial, detail: null } : sentOrHanded(route)
  const reason = input.reason
  const made: NewRefund = {
    order,
    amountFen,
    cause: causeOfAsked(chosen),
    reason,
    items: chosen,
    requestedById: ctx.actor.userId,
    limitFen,
    ...sent,
  }
  const { id } = only({ rows: await insertRefunds(ctx.tx, [made], now) })
  await settleOrders(ctx.tx, [order.id], now)
  if (refundState.is(sent.state, 'refunding')) await addJob(ctx.tx, SEND)
  const after = { orderNo: order.orderNo, amountFen, items: input.items, reason, state: sent.state }
  await record(ctx, { id, merchantId: order.merchantId }, { verb: 'apply', note: reason, before: null, after })
  return { id, state: sent.state }
}

function chosenOf(items: readonly RefundItem[], wanted: readonly number[]): RefundItem[] {
  return [...new Set(wanted)].map((index) => {
    const item = items.find((each) => each.index === index) ?? refuse('refund.item')
    if (item.isHeld) refuse('refund.itemTaken')
    return item
  })
}

/** A person may ask for what jammed, too; all else is `other`, and the reason says what. */
function causeOfAsked(chosen: readonly RefundItem[]): RefundCause {
  const states = chosen.map(({ state }) => state)
  return states.length > 0 && states.every(isUndelivered) ? causeOf(states) : 'other'
}

export async function approve(ctx: CommandContext, { id }: InputOf<typeof approveRefund>) {
  const now = ctx.now()
  const { refund, order } = await hold(ctx, id, 'approve')
  const limitFen = refund.limitFen ?? (await settingOf(ctx.tx, refundSecondPerson, refund.merchantId))
  if (isOwnAboveLimit({ ...refund, ...order }, ctx.actor.userId, limitFen)) refuse('refund.ownRequest')
  await refuseUnderWay(ctx, refund)
  const route = paybackRouteOf({ ...order, paidAt: order.paidAt ?? now, refunds: order.refunds - 1 }, now)
  const { detail } = sentOrHanded(route)
  const before = { state: refund.state }
  const verb = isPayable(route) ? 'approve' : 'approveByHand'
  const change = { detail, decidedById: ctx.actor.userId, nextAt: isPayable(route) ? now : null }
  await moveRefund(ctx.tx, refund, verb, change, now)
  await settleOrders(ctx.tx, [refund.orderId], now)
  if (isPayable(route)) await addJob(ctx.tx, SEND)
  const after = { state: refund.state, detail, amountFen: refund.amountFen }
  await record(ctx, refund, { verb: 'approve', note: detail ?? '', before, after })
  return changed(refund)
}

/** Once a channel was asked it may have paid: then there is nothing to reject. */
export async function reject(ctx: CommandContext, { id, reason }: InputOf<typeof rejectRefund>) {
  const now = ctx.now()
  const { refund } = await hold(ctx, id, 'reject')
  if (refund.tries > 0) refuse('refund.wasSent')
  refusePayBackAsked(refund)
  const before = { state: refund.state }
  await moveRefund(ctx.tx, refund, 'reject', { endedAt: now, decidedById: ctx.actor.userId }, now)
  await settleOrders(ctx.tx, [refund.orderId], now)
  await record(ctx, refund, { verb: 'reject', note: reason, before, after: { state: refund.state, reason } })
  return changed(refund)
}

/** Under its own number, so that a channel which had paid after all says so and does not pay again. */
export async function retry(ctx: CommandContext, { id }: { id: number }) {
  const now = ctx.now()
  const { refund, order } = await hold(ctx, id, 'retry')
  refusePayBackAsked(refund)
  const route = paybackRouteOf({ ...order, paidAt: order.paidAt ?? now, refunds: order.refunds - 1 }, now)
  if (!isPayable(route)) refuse('refund.noChannel')
  const before = { state: refund.state }
  await moveRefund(ctx.tx, refund, 'retry', { nextAt: now, decidedById: ctx.actor.userId }, now)
  await sql`update refund set sent_at = null, asks = 0, told_at = null where id = ${id}`.execute(ctx.tx)
  await settleOrders(ctx.tx, [refund.orderId], now)
  await addJob(ctx.tx, SEND)
  await record(ctx, refund, { verb: 'retry', before, after: { state: refund.state } })
  return changed(refund)
}

export async function queryNow(ctx: CommandContext, { id }: { id: number }) {
  const { refund } = await hold(ctx, id, null)
  if (!refundState.is(refund.state, 'underWay')) refuse('refund.state', { no: refund.refundNo })
  if (refund.attemptId === null) refuse('refund.noChannel')
  await sql`update refund set next_at = ${ctx.now()} where id = ${id}`.execute(ctx.tx)
  await addJob(ctx.tx, SEND)
  await record(ctx, refund, { verb: 'query', before: null, after: { refundNo: refund.refundNo } })
  return changed(refund)
}
