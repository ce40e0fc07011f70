import type { acceptDispute, disputeOrder, refuseDispute } from '@aisle/contract/settlement/batch'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { confirmRefusal, isMerchantSide } from './batch.rules'
import { batches, type Dispute, disputes, holdBatch, holdDispute, insertDispute, orderIn } from './batch.store'
import { isPlatformsOwn } from '../../../kernel/scope'

type Id = { id: number }
const auditBatch = auditAs('settlement')
const auditDispute = auditAs('settlementDispute')

export async function confirm(ctx: CommandContext, { id }: Id) {
  const batch = await holdBatch(ctx, id)
  const why = confirmRefusal({ ...batch, actor: ctx.actor })
  if (why) refuse(`settlement.${why}`)
  const state = await batches.move(ctx.tx, batch, 'confirm', { confirmedBy: ctx.actor.userId, confirmedAt: ctx.now() })
  await auditBatch(ctx, batch, { state: batch.state }, { state })
  return { id, state }
}

/** As long as the settlement is open; while it waits for an answer the settlement is not confirmed. */
export async function raise(ctx: CommandContext, { id, orderNo, reason }: InputOf<typeof disputeOrder>) {
  const batch = await holdBatch(ctx, id)
  const { merchantId } = batch
  if (!isMerchantSide({ ...batch, actor: ctx.actor })) refuse('settlement.notMerchant')
  batches.must(batch, 'confirm')
  const orderId = await orderIn(ctx, id, orderNo)
  if (orderId === null) return refuse('settlementDispute.notIn', { orderNo })
  const made = await insertDispute(ctx, { settlementId: id, merchantId, orderId, orderNo, reason })
  if (made === undefined) return refuse('settlementDispute.exists', { orderNo })
  await auditDispute(ctx, { id: made, merchantId }, null, { settlementId: id, orderNo, reason })
  return { id: made, state: 'waiting' as const }
}

export async function withdraw(ctx: CommandContext, { id }: Id) {
  const dispute = await holdDispute(ctx, id)
  const { merchantId } = dispute
  const asked = { merchantId, actor: ctx.actor, isOfPlatform: await isPlatformsOwn(ctx.tx, ctx.actor) }
  if (!isMerchantSide(asked)) refuse('settlement.notMerchant')
  return moveOn(ctx, dispute, 'withdraw', { answeredAt: ctx.now() })
}

/** What was settled stays: the money follows by a refund or the day's difference, which are decided where they are. */
export async function accept(ctx: CommandContext, { id, correction, answer }: InputOf<typeof acceptDispute>) {
  return answerWith(ctx, id, 'accept', { correction, answer })
}

export async function sayNo(ctx: CommandContext, { id, answer }: InputOf<typeof refuseDispute>) {
  return answerWith(ctx, id, 'refuse', { answer })
}

type Answer = { answer: string; correction?: InputOf<typeof acceptDispute>['correction'] }

async function answerWith(ctx: CommandContext, id: number, verb: 'accept' | 'refuse', answer: Answer) {
  const dispute = await holdDispute(ctx, id)
  if (!(await isPlatformsOwn(ctx.tx, ctx.actor))) refuse('settlementDispute.notPlatform')
  disputes.must(dispute, verb)
  if (dispute.raisedBy === ctx.actor.userId) refuse('settlementDispute.samePerson')
  return moveOn(ctx, dispute, verb, { ...answer, answeredBy: ctx.actor.userId, answeredAt: ctx.now() })
}

type Change = Parameters<typeof disputes.move>[3]

async function moveOn(ctx: CommandContext, dispute: Dispute, verb: 'accept' | 'refuse' | 'withdraw', change: Change) {
  const state = await disputes.move(ctx.tx, dispute, verb, change)
  const told = {
    ...(change?.answer && { answer: change.answer }),
    ...(change?.correction && { correction: change.correction }),
  }
  await auditDispute(ctx, dispute, { state: dispute.state, orderNo: dispute.orderNo }, { state, ...told })
  return { id: dispute.id, state }
}
