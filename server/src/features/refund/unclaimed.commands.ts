import {
  type attachUnclaimed,
  type dropUnclaimed,
  isAttachable,
  type refundUnclaimed,
  unclaimedState,
} from '@aisle/contract/refund/unclaimed'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { refundSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { refuse } from '../../kernel/refuse'
import { settingOf } from '../../kernel/settings'
import { announceChanged } from './due.commands'
import { attach } from './unclaimed.attach'
import { holdUnclaimed, isDecidedInBill, type Unclaimed } from './unclaimed.store'

/** The job that asks channels to pay back what is nobody's; also each minute. */
export const SEND_UNCLAIMED = 'refund.sendUnclaimed'

export async function giveBack(ctx: CommandContext, { id, reason }: InputOf<typeof refundUnclaimed>) {
  const held = await holdUnclaimed(ctx, id, 'ask')
  return decide(ctx, { ...held, decision: 'refund', reason, orderNo: null })
}

export async function attachTo(ctx: CommandContext, { id, orderNo, reason }: InputOf<typeof attachUnclaimed>) {
  const held = await holdUnclaimed(ctx, id, 'ask')
  if (!isAttachable(held.cause)) refuse('unclaimed.notAttachable')
  return decide(ctx, { ...held, decision: 'attach', reason, orderNo })
}

/** Up to the limit it happens at once; above, the first asks and another agrees. */
async function decide(ctx: CommandContext, held: Unclaimed) {
  if (await isDecidedInBill(ctx.tx, held)) refuse('unclaimed.inSettlement')
  const limitFen = await settingOf(ctx.tx, refundSecondPerson, held.merchantId)
  if (held.amountFen <= limitFen) return carryOut(ctx, held)
  // What could not happen is not asked for either.
  const orderId = held.decision === 'attach' ? (await attach(ctx, held, { isTrial: true })).orderId : null
  const state = unclaimedState.to('ask')
  await sql`update unclaimed_payment set state = ${state}, decision = ${held.decision}, reason = ${held.reason},
    order_id = ${orderId}, order_no = ${held.orderNo}, asked_by = ${ctx.actor.userId}, asked_at = ${ctx.now()},
    version = version + 1 where id = ${held.id}`.execute(ctx.tx)
  return written(ctx, held, { state, decision: held.decision, orderNo: held.orderNo, reason: held.reason })
}

export async function agree(ctx: CommandContext, { id }: { id: number }) {
  const held = await holdUnclaimed(ctx, id, 'drop')
  if (held.askedById === ctx.actor.userId) refuse('unclaimed.ownRequest')
  if (await isDecidedInBill(ctx.tx, held)) refuse('unclaimed.inSettlement')
  return carryOut(ctx, held)
}

export async function drop(ctx: CommandContext, { id, reason }: InputOf<typeof dropUnclaimed>) {
  const held = await holdUnclaimed(ctx, id, 'drop')
  const state = unclaimedState.to('drop')
  await sql`update unclaimed_payment set state = ${state}, decision = null, reason = '', order_id = null,
    order_no = null, asked_by = null, asked_at = null, version = version + 1 where id = ${id}`.execute(ctx.tx)
  return written(ctx, held, { state, reason })
}

export async function retry(ctx: CommandContext, { id }: { id: number }) {
  const held = await holdUnclaimed(ctx, id, 'retry')
  const state = unclaimedState.to('retry')
  await sql`update unclaimed_payment set state = ${state}, next_at = ${ctx.now()}, sent_at = null, asks = 0,
    version = version + 1 where id = ${id}`.execute(ctx.tx)
  await addJob(ctx.tx, SEND_UNCLAIMED)
  return written(ctx, held, { state })
}

async function carryOut(ctx: CommandContext, held: Unclaimed) {
  const now = ctx.now()
  const { id, decision, reason } = held
  const isRefund = decision === 'refund'
  const state = unclaimedState.to(isRefund ? 'refund' : 'attach')
  const orderId = isRefund ? null : (await attach(ctx, held, { isTrial: false })).orderId
  await sql`update unclaimed_payment set state = ${state}, decision = ${decision}, reason = ${reason},
    order_id = ${orderId}, order_no = ${held.orderNo}, decided_by = ${ctx.actor.userId}, decided_at = ${now},
    next_at = ${isRefund ? now : null}, ended_at = ${isRefund ? null : now}, version = version + 1
    where id = ${id}`.execute(ctx.tx)
  if (isRefund) await addJob(ctx.tx, SEND_UNCLAIMED)
  return written(ctx, held, { state, decision, orderNo: held.orderNo, reason })
}

type Written = { state: Unclaimed['state'] } & Partial<Pick<Unclaimed, 'decision' | 'orderNo' | 'reason'>>

async function written(ctx: CommandContext, held: Unclaimed, after: Written) {
  const { id, merchantId, state, decision, amountFen, channelNo } = held
  await ctx.audit({
    merchantId,
    objectKind: 'unclaimedPayment',
    objectId: id,
    before: { state, decision: state === 'open' ? null : decision, amountFen, channelNo },
    after,
  })
  await announceChanged(ctx.tx, [merchantId])
  return { id, state: after.state }
}
