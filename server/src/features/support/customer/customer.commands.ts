import type {
  answerCustomerCase,
  chooseCustomerOrder,
  refundCustomerCase,
  takeCustomerCase,
} from '@aisle/contract/support/customer'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { refuse } from '../../../kernel/refuse'
import { word } from '../../../kernel/words'
import { payBackOrder } from '../../refund/public'
import { promiseFrom } from '../feedback.store'
import { cases, type Held, hold, inTurnAt, keepJudgement, say, type Verb } from './customer.store'
import { claimOf, toldPaidBack } from './judge'
import { judged } from './match.rules'
import { orderOf, ordersNear } from './order.store'

const audited = auditAs('customerCase')
type Id = InputOf<typeof takeCustomerCase>
type Change = Parameters<typeof cases.move>[3]

async function moved(ctx: CommandContext, held: Held, verb: Verb, change: Change, facts: Record<string, unknown> = {}) {
  const was = { state: held.state }
  const state = await cases.move(ctx.tx, held, verb, change)
  await audited(ctx, held, was, { state, ...facts })
  return { id: held.id, state }
}

const mine = (ctx: CommandContext, { assigneeId }: Held) => ({ assigneeId: assigneeId ?? ctx.actor.userId })

export async function take(ctx: CommandContext, { id }: Id) {
  return moved(ctx, await hold(ctx, id, 'take'), 'take', { assigneeId: ctx.actor.userId })
}

/** Whoever answers what nobody has is the one who sees to it. */
export async function answer(ctx: CommandContext, { id, body }: InputOf<typeof answerCustomerCase>) {
  const held = await hold(ctx, id, 'answer')
  await say(ctx.tx, id, { userId: ctx.actor.userId, body, at: ctx.now() })
  return moved(ctx, held, 'answer', { ...mine(ctx, held), dueAt: null, closedAt: ctx.now() }, { body })
}

export async function close(ctx: CommandContext, { id }: Id) {
  const held = await hold(ctx, id, 'close')
  return moved(ctx, held, 'close', { ...mine(ctx, held), dueAt: null, closedAt: ctx.now() })
}

export async function reopen(ctx: CommandContext, { id }: Id) {
  const held = await hold(ctx, id, 'reopen')
  return moved(ctx, held, 'reopen', {
    closedAt: null,
    openSince: ctx.now(),
    dueAt: await promiseFrom(ctx.tx, ctx.now()),
  })
}

/** Of the machine at which the customer stood, and no other case's. */
export async function chooseOrder(ctx: CommandContext, { id, orderNo }: InputOf<typeof chooseCustomerOrder>) {
  const seen = await hold(ctx, id, 'take')
  await inTurnAt(ctx.tx, seen.machineId, null)
  const found = (await orderOf(ctx.tx, seen, orderNo)) ?? refuse('customer.elsewhere')
  if (found.claimedBy !== null) refuse('customer.claimed', { id: found.claimedBy })
  const near = judged(claimOf(seen), await ordersNear(ctx.tx, seen, seen.happenedAt))
  const like = near.find(({ orderId }) => orderId === found.orderId)
  const evidence = [...(like?.evidence ?? []), 'person' as const]
  await keepJudgement(ctx.tx, id, {
    orderId: found.orderId,
    sureness: like?.sureness ?? null,
    evidence,
    held: seen.held,
  })
  if (!found.isBack) return moved(ctx, seen, 'take', mine(ctx, seen), { orderNo })
  await audited(ctx, seen, { state: seen.state }, { orderNo })
  return { id, state: await toldPaidBack(ctx.tx, seen, ctx.now()) }
}

/** By the refunds' own command and its limits: what another person has to look at waits with them. */
export async function refund(ctx: CommandContext, { id, amountFen }: InputOf<typeof refundCustomerCase>) {
  const held = await hold(ctx, id, 'payBack')
  if (held.orderId === null) return refuse('customer.noOrder')
  const orderNo = await numberOf(ctx, held.orderId)
  const reason = word(ctx.language, 'support', 'customer.reason', { id })
  const outcome = await payBackOrder(ctx, { orderNo, amountFen, reason })
  if (outcome === 'mayNot') return refuse('customer.pending', { orderNo })
  if (!outcome) return moved(ctx, held, 'take', mine(ctx, held), { orderNo, amountFen })
  const change = { ...mine(ctx, held), dueAt: null, closedAt: ctx.now() }
  return moved(ctx, held, 'payBack', change, { orderNo, amountFen })
}

async function numberOf(ctx: CommandContext, orderId: number): Promise<string> {
  const found = await sql<{ orderNo: string }>`select order_no as "orderNo" from order_number
    where order_id = ${orderId}`.execute(ctx.tx)
  return must(found.rows[0], 'order number').orderNo
}
