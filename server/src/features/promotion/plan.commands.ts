import { type listPlan, planState } from '@aisle/contract/promotion/plan'
import type { VoucherKind } from '@aisle/contract/promotion/voucher'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { only } from '../../kernel/must'
import { refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { judgeListing, markListed, refuseHeldBack, refuseUnlawful } from './plan.listing'
import { findSaid } from './plan.reads'
import { type Held, hold, plans, type Said, writeVersion } from './plan.store'

type Id = { id: number }
/** Of voucher that the plan asks for; null for one that holds for whoever comes. */
type Kind = VoucherKind | null

const objectKinds = { coupon: 'couponPlan', code: 'codePlan' } as const
const objectKind = (kind: Kind) => (kind === null ? 'promotionPlan' : objectKinds[kind])

export async function add(ctx: CommandContext, input: Said, kind: Kind = null) {
  const { merchantId } = ctx.actor
  await refuseStrange(ctx, merchantId, { ...input, voucherKind: kind })
  const made = await sql<Id>`insert into promotion_plan (merchant_id, name, voucher_kind, created_by, created_at)
    values (${merchantId}, ${input.name}, ${kind}, ${ctx.actor.userId}, ${ctx.now()})
    on conflict (merchant_id, name) do nothing returning id`.execute(ctx.tx)
  const id = made.rows[0]?.id ?? refuse('plan.nameTaken', { name: input.name })
  const versionId = await writeVersion(ctx, { id, number: 1 }, input)
  await sql`update promotion_plan set version_id = ${versionId} where id = ${id}`.execute(ctx.tx)
  if (kind !== null) await sql`insert into voucher_tally (plan_id) values (${id})`.execute(ctx.tx)
  await ctx.audit({ merchantId, objectKind: objectKind(kind), objectId: id, before: null, after: input })
  return { id, state: planState.initial }
}

type Scoped = Said & { voucherKind: Kind }

/** @throws Refusal for goods, machines and groups out of sight, and for goods that the law lets nobody promote */
async function refuseStrange(ctx: CommandContext, merchantId: number, said: Scoped): Promise<void> {
  const sight = sightOf(ctx.actor)
  const isPlaced = said.machineIds.length > 0
  if (sight.kind === 'granted' && (!isPlaced || said.groupIds.length > 0)) refuse('plan.machines')
  const counts = await sql<{ products: number; categories: number; machines: number; groups: number }>`
    select
      (select count(*)::int from product p join merchant own on own.id = ${merchantId}
        where p.id = any(${[...said.productIds]}::bigint[])
          and (p.merchant_id = any(own.path) or ${merchantInSight(sight, sql`p.merchant_id`)})) as products,
      (select count(*)::int from category c join merchant own on own.id = ${merchantId}
        where c.id = any(${[...said.categoryIds]}::bigint[])
          and (c.merchant_id = any(own.path) or ${merchantInSight(sight, sql`c.merchant_id`)})) as categories,
      (select count(*)::int from machine a where a.id = any(${[...said.machineIds]}::bigint[])
        and ${machineInSight(sight, sql`a.id`)}) as machines,
      (select count(*)::int from machine_group g where g.id = any(${[...said.groupIds]}::bigint[])
        and ${merchantInSight(sight, sql`g.merchant_id`)}) as groups`.execute(ctx.tx)
  const known = only(counts)
  const isMissing = (ids: readonly number[], count: number) => new Set(ids).size > count
  if (isMissing(said.machineIds, known.machines) || isMissing(said.groupIds, known.groups)) refuse('plan.machines')
  if (isMissing(said.productIds, known.products) || isMissing(said.categoryIds, known.categories)) {
    refuse('plan.nothing')
  }
  await refuseUnlawful(ctx.tx, said)
}

type Edited = Said & { id: number; version: number }

export async function edit(ctx: CommandContext, input: Edited, kind: Kind = null) {
  const { id, version, ...said } = input
  const plan = await hold(ctx, id, null, kind)
  const before = await findSaid(ctx.tx, id)
  refuseStale(ctx, { version }, plan, before, said)
  if (!planState.is(plan.state, 'editable')) refuse('plan.state', { id })
  await refuseStrange(ctx, plan.merchantId, { ...said, voucherKind: kind })
  const taken = await sql`select from promotion_plan
    where merchant_id = ${plan.merchantId} and name = ${said.name} and id <> ${id}`.execute(ctx.tx)
  if (taken.rows.length > 0) refuse('plan.nameTaken', { name: said.name })
  const number = plan.number + (plan.isListedVersion ? 1 : 0)
  const versionId = await writeVersion(ctx, { id, number }, said)
  await sql`update promotion_plan set name = ${said.name}, version_id = ${versionId}, version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await record(ctx, plan, kind, { before, after: { ...said, number } })
  return { id, state: plan.state }
}

type Change = { before: Record<string, unknown>; after: Record<string, unknown> }

const record = (ctx: CommandContext, { id, merchantId }: Held, kind: Kind, change: Change) =>
  ctx.audit({ merchantId, objectKind: objectKind(kind), objectId: id, ...change })

export async function list(ctx: CommandContext, { id, conflictsSeen }: InputOf<typeof listPlan>, kind: Kind = null) {
  const plan = await hold(ctx, id, 'list', kind)
  await refuseHeldBack(ctx.tx, id)
  const { said, conflicts } = await judgeListing(ctx.tx, plan, kind, ctx.now())
  if (conflicts.length !== conflictsSeen) refuse('plan.conflicts', { count: conflicts.length })
  await markListed(ctx.tx, plan, { kind, said }, ctx.now())
  return moved(ctx, plan, 'list', kind)
}

async function moved(ctx: CommandContext, plan: Held, verb: 'list' | 'pause' | 'end', kind: Kind) {
  const state = await plans.move(ctx.tx, plan, verb, verb === 'end' ? { endedAt: ctx.now() } : {})
  await record(ctx, plan, kind, { before: { state: plan.state }, after: { state, number: plan.number } })
  const kinds = [objectKind(kind)]
  await announce(ctx.tx, { topic: 'changes', kinds, merchantIds: [plan.merchantId], above: [] })
  return { id: plan.id, state }
}

export const pause = async (ctx: CommandContext, { id }: Id, kind: Kind = null) =>
  moved(ctx, await hold(ctx, id, 'pause', kind), 'pause', kind)
export const end = async (ctx: CommandContext, { id }: Id, kind: Kind = null) =>
  moved(ctx, await hold(ctx, id, 'end', kind), 'end', kind)
