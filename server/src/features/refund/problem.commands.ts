import { refundState } from '@aisle/contract/refund/states'
import { type confirmProblem, type dropProblem, problemState } from '@aisle/contract/refund/problem'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { refundSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { machineInSight, sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { lockOrders } from './order.store'
import { lockRefunds, moveRefund, appendEvents } from './refund.store'
import type { RefundOrder, RefundRow } from './refund.types'
import { settleOrders } from './settle'
import { moveSettled } from '../trade/public'
import { stateful, statesIn } from '../../kernel/states'

const problems = stateful('problemCase', 'state', problemState, {
  versioned: true,
  refuse: ({ id }) => refuse('problem.state', { id }),
})

type State = (typeof problemState.states)[number]
type Verb = keyof typeof problemState.moves
type Held = { id: number; orderId: number; merchantId: number; kind: string; state: State; reason: string }
type HeldCase = Held & { askedById: number | null }

/** With its order, which is locked first. */
async function hold(ctx: CommandContext, id: number, verb: Verb): Promise<{ held: HeldCase; order: RefundOrder }> {
  const mine = sql`k.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`k.machine_id`)}`
  const seen = await sql<{ orderId: number }>`
    select k.order_id as "orderId" from problem_case k where ${mine}`.execute(ctx.tx)
  const orderId = existing(seen.rows[0]).orderId
  const order = existing((await lockOrders(ctx.tx, [orderId]))[0])
  const found = await sql<HeldCase>`select k.id, k.order_id as "orderId", k.merchant_id as "merchantId", k.kind,
    k.state, k.reason, k.asked_by as "askedById" from problem_case k where k.id = ${id} for update`.execute(ctx.tx)
  const held = existing(found.rows[0])
  problems.must(held, verb)
  return { held, order }
}

/** What is at stake above the limit is closed by two people: the first asks, the second agrees. */
export async function confirm(ctx: CommandContext, { id, reason }: InputOf<typeof confirmProblem>) {
  const { held, order } = await hold(ctx, id, 'ask')
  const limitFen = await settingOf(ctx.tx, refundSecondPerson, held.merchantId)
  if (order.paidFen - order.refundedFen <= limitFen) return close(ctx, held, order, reason)
  const state = await problems.move(ctx.tx, held, 'ask', { reason, askedBy: ctx.actor.userId, askedAt: ctx.now() })
  await audit(ctx, held, { state, reason })
  return { id, state }
}

export async function agree(ctx: CommandContext, { id }: { id: number }) {
  // What was asked for may also be dropped: nothing else may.
  const { held, order } = await hold(ctx, id, 'drop')
  if (held.askedById === ctx.actor.userId) refuse('problem.ownRequest')
  return close(ctx, held, order, held.reason)
}

export async function drop(ctx: CommandContext, { id, reason }: InputOf<typeof dropProblem>) {
  const { held } = await hold(ctx, id, 'drop')
  const state = await problems.move(ctx.tx, held, 'drop', { reason: '', askedBy: null, askedAt: null })
  await audit(ctx, held, { state, reason })
  return { id, state }
}

/** As it stands: no money and no goods follow. What waits to go back is dropped, what was sent has to end first. */
async function close(ctx: CommandContext, held: HeldCase, order: RefundOrder, reason: string) {
  const now = ctx.now()
  const open = await lockRefunds(
    ctx.tx,
    sql`r.order_id = ${order.id} and r.state in ${statesIn(refundState, 'waiting')}`,
  )
  // Goods that came out after their refund are settled whatever becomes of the money.
  const isOut = held.kind === 'dispensed_after_refund'
  const isGoing = ({ tries, state, payBackWay }: RefundRow) =>
    tries > 0 || refundState.is(state, 'refunding') || payBackWay !== null
  if (!isOut && open.some(isGoing)) refuse('problem.refundUnderWay')
  for (const refund of open.filter((each) => !isGoing(each))) {
    await moveRefund(ctx.tx, refund, 'reject', { endedAt: now, decidedById: ctx.actor.userId }, now)
    await appendEvents(ctx.tx, [{ refundId: refund.id, verb: 'reject', userId: ctx.actor.userId, note: reason }], now)
  }
  const change = { outcome: 'confirmed' as const, reason, closedBy: ctx.actor.userId, closedAt: now }
  const state = await problems.move(ctx.tx, held, 'close', change)
  await moveSettled(ctx.tx, [{ order, paymentState: order.paymentState, problem: null }])
  await settleOrders(ctx.tx, [order.id], now)
  await audit(ctx, held, { state, outcome: 'confirmed', reason })
  return { id: held.id, state }
}

const audit = (ctx: CommandContext, held: Held, after: Record<string, unknown>): Promise<void> =>
  ctx.audit({
    merchantId: held.merchantId,
    objectKind: 'problem',
    objectId: held.id,
    before: { state: held.state, kind: held.kind },
    after,
  })
