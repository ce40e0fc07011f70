import {
  type attachUnclaimed,
  type dropUnclaimed,
  isAttachable,
  type refundUnclaimed,
  unclaimedState,
} from '@aisle/contract/refund/unclaimed'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { refundSecondPerson } from '@aisle/contract/system/settings'
import type { CommandContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { refuse } from '../../kernel/refuse'
import { settingOf } from '../../kernel/settings'
import { type Books, withBooks } from '../trade/public'
import { announceChanged } from './due.commands'
import { attach, attachable } from './unclaimed.attach'
import { holdUnclaimed, isDecidedInBill, type Unclaimed, unclaimeds } from './unclaimed.store'

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
  const orderId = held.decision === 'attach' ? (await attachable(ctx, held)).orderId : null
  const { decision, reason, orderNo } = held
  const asked = { askedBy: ctx.actor.userId, askedAt: ctx.now() }
  const state = await unclaimeds.move(ctx.tx, held, 'ask', { decision, reason, orderId, orderNo, ...asked })
  return written(ctx, held, { state, decision, orderNo, reason })
}

export async function agree(ctx: CommandContext, { id }: { id: number }) {
  const held = await holdUnclaimed(ctx, id, 'drop')
  if (held.askedById === ctx.actor.userId) refuse('unclaimed.ownRequest')
  if (await isDecidedInBill(ctx.tx, held)) refuse('unclaimed.inSettlement')
  return carryOut(ctx, held)
}

export async function drop(ctx: CommandContext, { id, reason }: InputOf<typeof dropUnclaimed>) {
  const held = await holdUnclaimed(ctx, id, 'drop')
  const undecided = { decision: null, reason: '', orderId: null, orderNo: null, askedBy: null, askedAt: null }
  const state = await unclaimeds.move(ctx.tx, held, 'drop', undecided)
  return written(ctx, held, { state, reason })
}

export async function retry(ctx: CommandContext, { id }: { id: number }) {
  const held = await holdUnclaimed(ctx, id, 'retry')
  const state = await unclaimeds.move(ctx.tx, held, 'retry', { nextAt: ctx.now(), sentAt: null, asks: 0 })
  await addJob(ctx.tx, SEND_UNCLAIMED)
  return written(ctx, held, { state })
}

const carryOut = (ctx: CommandContext, held: Unclaimed) =>
  withBooks(ctx.tx, ctx.now(), (books) => carryOutWith(ctx, books, held))

async function carryOutWith(ctx: CommandContext, books: Books, held: Unclaimed) {
  const now = ctx.now()
  const { decision, reason, orderNo } = held
  const isRefund = decision === 'refund'
  const orderId = isRefund ? null : await attach(ctx, books, held)
  const decided = { decision, reason, orderId, orderNo, decidedBy: ctx.actor.userId, decidedAt: now }
  const due = isRefund ? { nextAt: now, endedAt: null } : { nextAt: null, endedAt: now }
  const state = await unclaimeds.move(ctx.tx, held, isRefund ? 'refund' : 'attach', { ...decided, ...due })
  if (isRefund) await addJob(ctx.tx, SEND_UNCLAIMED)
  return written(ctx, held, { state, decision, orderNo, reason })
}

type Written = { state: Unclaimed['state'] } & Partial<Pick<Unclaimed, 'decision' | 'orderNo' | 'reason'>>

async function written(ctx: CommandContext, held: Unclaimed, after: Written) {
  const { id, merchantId, state, decision, amountFen, channelNo } = held
  await ctx.audit({
    merchantId,
    objectKind: 'unclaimedPayment',
    objectId: id,
    before: { state, decision: unclaimedState.is(state, 'open') ? null : decision, amountFen, channelNo },
    after,
  })
  await announceChanged(ctx.tx, [merchantId])
  return { id, state: after.state }
}
