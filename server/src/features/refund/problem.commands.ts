import { type confirmProblem, type dropProblem, problemState } from '@aisle/contract/refund/problem'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { refundSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { machineInSight, sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { lockOrders, moveOrders } from './order.store'
import { lockRefunds, moveRefund, tell } from './refund.store'
import type { RefundOrder, RefundRow } from './refund.types'
import { settleOrders } from './settle'

type State = (typeof problemState.states)[number]
type Verb = keyof typeof problemState.moves
type Held = { id: number; orderId: number; merchantId: number; kind: string; state: State; reason: string }
type HeldCase = Held & { askedById: number | null }

/** With its order, which is locked first. */
async function hold(ctx: CommandContext, id: number, verb: Verb): Promise<{ held: HeldCase; order: RefundOrder }> {
  const mine = sql`k.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`k.machine_id`)}`
  const seen = await sql<{ orderId: number }>`
    select k.order_id as "orderId" from problem_case k where ${mine}`.execute(ctx.tx)
  const orderId = seen.rows[0]?.orderId ?? refuse('request.notFound')
  const order = (await lockOrders(ctx.tx, [orderId]))[0] ?? refuse('request.notFound')
  const found = await sql<HeldCase>`select k.id, k.order_id as "orderId", k.merchant_id as "merchantId", k.kind,
    k.state, k.reason, k.asked_by as "askedById" from problem_case k where k.id = ${id} for update`.execute(ctx.tx)
  const held = found.rows[0] ?? refuse('request.notFound')
  if (!problemState.can(held.state, verb)) refuse('problem.state', { id })
  return { held, order }
}

/** What is at stake above the limit is closed by two people: the first asks, the second agrees. */
export async function confirm(ctx: CommandContext, { id, reason }: InputOf<typeof confirmProblem>) {
  const { held, order } = await hold(ctx, id, 'ask')
  const limitFen = await settingOf(ctx.tx, refundSecondPerson, held.merchantId)
  if (order.paidFen - order.refundedFen <= limitFen) return close(ctx, held, order, reason)
  await sql`update problem_case set state = ${problemState.to('ask')}, reason = ${reason},
    asked_by = ${ctx.actor.userId}, asked_at = ${ctx.now()}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, held, { state: 'asked', reason })
  return { id, state: problemState.to('ask') }
}

export async function agree(ctx: CommandContext, { id }: { id: number }) {
  const { held, order } = await hold(ctx, id, 'close')
  if (held.state !== 'asked') refuse('problem.state', { id })
  if (held.askedById === ctx.actor.userId) refuse('problem.ownRequest')
  return close(ctx, held, order, held.reason)
}

export async function drop(ctx: CommandContext, { id, reason }: InputOf<typeof dropProblem>) {
  const { held } = await hold(ctx, id, 'drop')
  await sql`update problem_case set state = ${problemState.to('drop')}, reason = '', asked_by = null, asked_at = null,
    version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, held, { state: 'open', reason })
  return { id, state: problemState.to('drop') }
}

/** As it stands: no money and no goods follow. What waits to go back is dropped, what was sent has to end first. */
async function close(ctx: CommandContext, held: HeldCase, order: RefundOrder, reason: string) {
  const now = ctx.now()
  const open = await lockRefunds(
    ctx.tx,
    sql`r.order_id = ${order.id} and r.state in ('pending_review', 'refunding', 'unknown', 'failed', 'needs_handling')`,
  )
  // Goods that came out after their refund are settled whatever becomes of the money.
  const isOut = held.kind === 'dispensed_after_refund'
  const isGoing = ({ tries, state, payBackWay }: RefundRow) => tries > 0 || state === 'refunding' || payBackWay !== null
  if (!isOut && open.some(isGoing)) refuse('problem.refundUnderWay')
  for (const refund of open.filter((each) => !isGoing(each))) {
    await moveRefund(ctx.tx, refund, { state: 'rejected', endedAt: now, decidedById: ctx.actor.userId }, now)
    await tell(ctx.tx, [{ refundId: refund.id, verb: 'reject', userId: ctx.actor.userId, note: reason }], now)
  }
  await sql`update problem_case set state = ${problemState.to('close')}, outcome = 'confirmed', reason = ${reason},
    closed_by = ${ctx.actor.userId}, closed_at = ${now}, version = version + 1 where id = ${held.id}`.execute(ctx.tx)
  await moveOrders(ctx.tx, [{ order, paymentState: order.paymentState, problem: null }])
  await settleOrders(ctx.tx, [order.id], now)
  await audit(ctx, held, { state: 'closed', outcome: 'confirmed', reason })
  return { id: held.id, state: problemState.to('close') }
}

const audit = (ctx: CommandContext, held: Held, after: Record<string, unknown>): Promise<void> =>
  ctx.audit({
    merchantId: held.merchantId,
    objectKind: 'problem',
    objectId: held.id,
    before: { state: held.state, kind: held.kind },
    after,
  })
