import {
  type addCampaign,
  blockingConflicts,
  type CampaignSaid,
  campaignState,
  MOST_CAMPAIGN_DAYS,
  type editCampaign,
  type scheduleCampaign,
} from '@aisle/contract/promotion/campaign'
import { planState } from '@aisle/contract/promotion/plan'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import { daysBetween } from '../../../kernel/businessDay'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { only } from '../../../kernel/must'
import { refusal, refuse } from '../../../kernel/refuse'
import { machineInSight, sightOf } from '../../../kernel/scope'
import { stateTo } from '../../../kernel/states'
import { findCampaignConflicts } from './campaign.conflicts'
import { begin, finish, resumeRun, stopRun } from './campaign.run'
import { beforeDaysOf } from './campaign.rules'
import { campaigns, dayOf, fixMachines, freePlans, type Held, hold, holdPlans } from './campaign.store'

type Id = { id: number }
const audit = auditAs('campaign')
const changed = ({ id }: Id, state: Held['state']) => ({ id, state })

export async function add(ctx: CommandContext, input: InputOf<typeof addCampaign>) {
  const { merchantId } = ctx.actor
  await refuseStrange(ctx, merchantId, input)
  const { name, measure, goalPercent, startsOn, endsOn, planIds, controlPercent, controlIds } = input
  const write = sql<Id>`insert into campaign (merchant_id, name, measure, goal_percent, starts_on, ends_on, plan_ids,
      control_percent, control_ids, created_by, created_at)
    values (${merchantId}, ${name}, ${measure}, ${goalPercent}, ${startsOn}::date, ${endsOn}::date,
      ${planIds}::bigint[], ${controlPercent}, ${controlIds}::bigint[], ${ctx.actor.userId}, ${ctx.now()})
    returning id`.execute(ctx.tx)
  const { id } = only(await refusedBy('campaign_name', write, () => refusal('campaign.nameTaken', { name })))
  await audit(ctx, { id, merchantId }, null, input)
  return changed({ id }, campaignState.initial)
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editCampaign>) {
  const { id, version, ...said } = input
  const campaign = await hold(ctx, id, null)
  const before = Object.fromEntries(Object.keys(said).map((name) => [name, campaign[name as keyof CampaignSaid]]))
  refuseStale(ctx, { version }, campaign, before, said)
  if (!campaignState.is(campaign.state, 'draft')) refuse('campaign.state', { id })
  await refuseStrange(ctx, campaign.merchantId, said)
  const { name, measure, goalPercent, startsOn, endsOn, planIds, controlPercent, controlIds } = said
  const write = sql`update campaign set name = ${name}, measure = ${measure}, goal_percent = ${goalPercent},
      starts_on = ${startsOn}::date, ends_on = ${endsOn}::date, plan_ids = ${planIds}::bigint[],
      control_percent = ${controlPercent}, control_ids = ${controlIds}::bigint[], version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await refusedBy('campaign_name', write, () => refusal('campaign.nameTaken', { name }))
  await audit(ctx, campaign, before, said)
  return changed(campaign, campaign.state)
}

/** @throws Refusal for days that make no window, and for plans and machines that are not there for it */
async function refuseStrange(ctx: CommandContext, merchantId: number, said: CampaignSaid): Promise<void> {
  const { startsOn, endsOn, planIds, controlIds } = said
  const days = daysBetween(startsOn, endsOn) + 1
  if (days < 1 || days > MOST_CAMPAIGN_DAYS) refuse('campaign.dates')
  const known = await sql<{ plans: number; machines: number }>`select
    (select count(*)::int from promotion_plan p where p.id = any(${planIds}::bigint[])
      and p.merchant_id = ${merchantId} and p.voucher_kind is null
      and p.state <> ${stateTo(planState, 'end')}) as plans,
    (select count(*)::int from machine a join merchant m on m.id = a.merchant_id
      where a.id = any(${controlIds}::bigint[]) and m.path @> array[${merchantId}]::bigint[]
        and a.retired_at is null and ${machineInSight(sightOf(ctx.actor), sql`a.id`)}) as machines`.execute(ctx.tx)
  const { plans, machines } = only(known)
  if (plans < new Set(planIds).size) refuse('campaign.plans')
  if (machines < new Set(controlIds).size) refuse('campaign.controls')
}

export async function schedule(ctx: CommandContext, { id, conflictsSeen }: InputOf<typeof scheduleCampaign>) {
  const campaign = await hold(ctx, id, 'schedule')
  const today = dayOf(campaign, ctx.now())
  if (campaign.endsOn < today) refuse('campaign.over')
  await refuseStrange(ctx, campaign.merchantId, campaign)
  // It is compared with the days before it really begins.
  const startsOn = campaign.startsOn < today ? today : campaign.startsOn
  const ready = { ...campaign, startsOn, beforeDays: beforeDaysOf(startsOn, campaign.endsOn), until: today }
  const conflicts = await findCampaignConflicts(ctx.tx, ready, ctx.now())
  const blocking = conflicts.find(({ kind }) => blockingConflicts.includes(kind))
  if (blocking) refuse('campaign.blocked', { name: blocking.name })
  if (conflicts.length !== conflictsSeen) refuse('campaign.conflicts', { count: conflicts.length })
  const fixed = await fixMachines(ctx.tx, ready)
  await refuseUnseen(ctx, id)
  if ((await holdPlans(ctx.tx, campaign)) < new Set(campaign.planIds).size) refuse('campaign.blocked', { name: '' })
  const { beforeDays } = ready
  const state = await campaigns.move(ctx.tx, campaign, 'schedule', { beforeDays, startsOn: sql`${startsOn}::date` })
  await audit(ctx, campaign, { state: campaign.state }, { state, ...fixed })
  if (startsOn > today) return changed(campaign, state)
  return changed(campaign, await begin(ctx.tx, { ...ready, state }, ctx.now()))
}

/** Whoever keeps machines out has to see them. */
async function refuseUnseen(ctx: CommandContext, id: number): Promise<void> {
  const unseen = await sql`select from campaign_machine c
    where c.campaign_id = ${id} and not ${machineInSight(sightOf(ctx.actor), sql`c.machine_id`)} limit 1`.execute(
    ctx.tx,
  )
  if (unseen.rows.length > 0) refuse('campaign.machines')
}

export async function withdraw(ctx: CommandContext, { id }: Id) {
  const campaign = await hold(ctx, id, 'withdraw')
  const state = await campaigns.move(ctx.tx, campaign, 'withdraw')
  await freePlans(ctx.tx, id)
  await sql`delete from campaign_machine where campaign_id = ${id}`.execute(ctx.tx)
  await audit(ctx, campaign, { state: campaign.state }, { state })
  return changed(campaign, state)
}

export async function pause(ctx: CommandContext, { id }: Id) {
  const campaign = await hold(ctx, id, 'pause')
  const state = await stopRun(ctx.tx, campaign, ctx.now())
  await audit(ctx, campaign, { state: campaign.state }, { state })
  return changed(campaign, state)
}

export async function resume(ctx: CommandContext, { id }: Id) {
  const campaign = await hold(ctx, id, 'resume')
  const state = await resumeRun(ctx.tx, campaign, ctx.now())
  await audit(ctx, campaign, { state: campaign.state }, { state })
  return changed(campaign, state)
}

export async function end(ctx: CommandContext, { id }: Id) {
  const campaign = await hold(ctx, id, 'end')
  const state = await finish(ctx.tx, campaign, ctx.now())
  await audit(ctx, campaign, { state: campaign.state }, { state })
  return changed(campaign, state)
}
