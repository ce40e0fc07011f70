import { planState } from '@aisle/contract/promotion/plan'
import type { addCodeBatch } from '@aisle/contract/promotion/code'
import type { previewIssue, WantedIssue } from '@aisle/contract/promotion/coupon'
import { MOST_COUPONS } from '@aisle/contract/promotion/voucher'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext, QueryContext, Reader } from '../../../kernel/context'
import { addJob } from '../../../kernel/jobs'
import { must, only } from '../../../kernel/must'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { findIssuable, findMembers, type Issuable } from './issue.reads'
import { makeVouchers } from './make.store'
import { drawVoucher } from './secret'
import { announceVouchers } from './voucher.commands'

export const MAKE_JOB = 'promotion.makeVouchers'

/** Who would get one, and how many are left. */
export async function preview(ctx: QueryContext, wanted: WantedIssue): Promise<OutputOf<typeof previewIssue>> {
  const plan = open(
    await findIssuable(ctx.db, sightOf(ctx.actor), { id: wanted.planId, kind: 'coupon', now: ctx.now() }),
  )
  const { members, getting } = await audience(ctx, ctx.db, plan, wanted)
  return {
    members,
    atLimit: members - (wanted.audience === 'bearer' ? 0 : getting.length),
    count: wanted.audience === 'bearer' ? (wanted.count ?? 0) : getting.length,
    left: plan.left,
    expiresAt: plan.expiresAt.toISOString(),
  }
}

/** @throws Refusal for one that is not listed, or whose days are past */
function open(found: Issuable | undefined): Issuable {
  const plan = existing(found)
  if (!planState.is(plan.state, 'listed')) refuse('voucher.notListed')
  return plan.expiresAt > plan.validFrom ? plan : refuse('plan.over')
}

async function audience(ctx: QueryContext, db: Reader, plan: Issuable, wanted: WantedIssue) {
  if (wanted.audience === 'bearer') return { members: 0, getting: [] as number[] }
  const found = await findMembers(db, sightOf(ctx.actor), plan, wanted)
  if (found.length === 0) refuse('voucher.nobody')
  if (found.length > MOST_COUPONS) refuse('voucher.tooMany', { count: MOST_COUPONS })
  const getting = found.filter(({ own }) => plan.perMember === null || own < plan.perMember)
  return { members: found.length, getting: getting.map(({ id }) => id) }
}

/** One to each, under the lock of what is counted of the plan: nobody gets more than the limit, however many give. */
export async function issue(ctx: CommandContext, wanted: WantedIssue): Promise<{ id: number; count: number }> {
  const now = ctx.now()
  await sql`select from voucher_tally where plan_id = ${wanted.planId} for update`.execute(ctx.tx)
  const plan = open(await findIssuable(ctx.tx, sightOf(ctx.actor), { id: wanted.planId, kind: 'coupon', now }))
  const { getting } = await audience(ctx, ctx.tx, plan, wanted)
  const isBearer = wanted.audience === 'bearer'
  const count = isBearer ? (wanted.count ?? 0) : getting.length
  if (count === 0) refuse('voucher.nobody')
  const { reason } = wanted
  const id = await insertBatch(ctx, plan, { kind: isBearer ? 'bearer' : 'members', count, reason })
  const making = { keys: ctx.services.keys, draw: drawVoucher, now }
  for (let missing: number | null = count; missing; ) missing = await makeVouchers(ctx.tx, id, making, getting)
  const { audience: to, level, unitId } = wanted
  await note(ctx, plan, id, { count, to, level, unitId, reason })
  return { id, count }
}

/** A job makes them, since there may be many. */
export async function addBatch(
  ctx: CommandContext,
  { id: planId, count, reason }: InputOf<typeof addCodeBatch>,
): Promise<{ id: number }> {
  const plan = open(await findIssuable(ctx.tx, sightOf(ctx.actor), { id: planId, kind: 'code', now: ctx.now() }))
  const id = await insertBatch(ctx, plan, { kind: 'codes', count, reason })
  await addJob(ctx.tx, MAKE_JOB, { batchId: id })
  await note(ctx, plan, id, { count, reason })
  return { id }
}

type Batch = { kind: 'members' | 'bearer' | 'codes'; count: number; reason: string }

async function insertBatch(ctx: CommandContext, plan: Issuable, { kind, count, reason }: Batch): Promise<number> {
  const { id: planId, versionId, merchantId, validFrom, expiresAt, left } = plan
  const write = sql<{ id: number }>`insert into voucher_batch (plan_id, version_id, merchant_id, kind, count, reason,
      valid_from, expires_at, created_by, created_at)
    values (${planId}, ${versionId}, ${merchantId}, ${kind}, ${count}, ${reason}, ${validFrom}, ${expiresAt},
      ${ctx.actor.userId}, ${ctx.now()}) returning id`.execute(ctx.tx)
  const made = await refusedBy('voucher_tally_issued', write, () =>
    refusal('voucher.tooFew', { left: must(left, 'how many are left'), count }),
  )
  return only(made).id
}

async function note(ctx: CommandContext, plan: Issuable, id: number, after: Record<string, unknown>): Promise<void> {
  const { merchantId, name, id: planId } = plan
  const audited = {
    merchantId,
    objectKind: 'voucherBatch',
    objectId: id,
    before: null,
    after: { planId, name, ...after },
  }
  await ctx.audit(audited)
  await announceVouchers(ctx.tx, merchantId)
}
