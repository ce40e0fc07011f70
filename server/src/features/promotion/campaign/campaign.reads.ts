import {
  type Campaign,
  type CampaignDetail,
  type CampaignResult,
  campaignState,
  type listCampaigns,
} from '@aisle/contract/promotion/campaign'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { addDays } from '../../../kernel/businessDay'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { existing } from '../../../kernel/refuse'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../../kernel/scope'
import { beforeDaysOf, type Measured, resultsOf } from './campaign.rules'
import { findCampaignConflicts } from './campaign.conflicts'
import { controlsOf, dayOf, findCandidates, type Held, heldColumns, type Ready } from './campaign.store'

type Row = Omit<Campaign, 'verdict' | 'liftPercent'>
type Filter = InputOf<typeof listCampaigns>

const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select g.id, g.merchant_id as "merchantId", m.name as "merchantName", g.name, g.state, g.measure,
    g.goal_percent::int as "goalPercent", to_char(g.starts_on, 'YYYY-MM-DD') as "startsOn",
    to_char(g.ends_on, 'YYYY-MM-DD') as "endsOn", cardinality(g.plan_ids) as "planCount",
    (select count(*)::int from campaign_machine c where c.campaign_id = g.id and not c.is_control) as "withCount",
    (select count(*)::int from campaign_machine c where c.campaign_id = g.id and c.is_control) as "controlCount",
    u.display_name as "createdBy", to_json(g.created_at) #>> '{}' as "createdAt"
  from campaign g join merchant m on m.id = g.merchant_id left join app_user u on u.id = g.created_by
  where ${merchantInSight(sight, sql`g.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  starts: { by: sql`"startsOn"`, type: 'text', newestFirst: true },
}

export function listCampaignsIn(ctx: QueryContext, filter: Filter): Listing<Campaign> {
  const { q, state, merchantId, sort } = filter
  const where = allOf([
    q && holds(sql`name`, q),
    isAnyOf(sql`state`, state),
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  const sight = sightOf(ctx.actor)
  return mapRows(listRows({ rows: rowsInSight(sight), where, order: orders[sort] }), (found, db) =>
    withResults(db, sight, found),
  )
}

async function withResults(db: Reader, sight: Sight, found: readonly Row[]): Promise<Campaign[]> {
  const measured = await findMeasured(
    db,
    sight,
    found.map(({ id }) => id),
  )
  return found.map((row) => ({ ...row, ...ownOf(row, resultsOf(measured.get(row.id) ?? [], row)) }))
}

/** What it was for. */
function ownOf({ measure }: Row, results: readonly CampaignResult[]): Pick<Campaign, 'verdict' | 'liftPercent'> {
  const own = results.find((result) => result.measure === measure)
  return { verdict: own?.verdict ?? null, liftPercent: own?.percent?.value ?? null }
}

type Kept = Measured & { id: number; through: string; measuredAt: string }

/** Figures of all its machines, for whoever sees them all. */
const isSeenWhole = (sight: Sight, id: RawBuilder<unknown>) => sql<boolean>`not exists (
  select from campaign_machine c where c.campaign_id = ${id} and not ${machineInSight(sight, sql`c.machine_id`)})`

async function findMeasured(db: Reader, sight: Sight, ids: readonly number[]): Promise<Map<number, Kept[]>> {
  if (ids.length === 0) return new Map()
  const found = await sql<Kept>`
    select r.campaign_id as id, r.measure, r.is_control as "isControl", r.machines, r.days, r.before_mean as before,
      r.during_mean as during, r.change_variance as "changeVariance", to_char(r.through, 'YYYY-MM-DD') as through,
      to_json(r.measured_at) #>> '{}' as "measuredAt"
    from campaign_result r where r.campaign_id = any(${[...ids]}::bigint[])
      and ${isSeenWhole(sight, sql`r.campaign_id`)}`.execute(db)
  return new Map(ids.map((id) => [id, found.rows.filter((row) => row.id === id)]))
}

export async function detail(ctx: QueryContext, id: number): Promise<CampaignDetail> {
  const { db } = ctx
  const sight = sightOf(ctx.actor)
  const found = await sql<Row & { endedAt: string | null }>`
    select seen.*, to_json(g.ended_at) #>> '{}' as "endedAt"
    from (${rowsInSight(sight)}) seen join campaign g on g.id = seen.id where seen.id = ${id}`.execute(db)
  const { endedAt, ...row } = existing(found.rows[0])
  const kept = await sql<Held>`select ${heldColumns} from campaign g join merchant m on m.id = g.merchant_id
    where g.id = ${id}`.execute(db)
  const held = only(kept)
  const beforeDays = held.beforeDays ?? beforeDaysOf(held.startsOn, held.endsOn)
  const isDraft = campaignState.is(held.state, 'draft')
  const measured = (await findMeasured(db, sight, [id])).get(id) ?? []
  const results = resultsOf(measured, row)
  const spans = await findSpans(db, id)
  const today = dayOf(held, ctx.now())
  const startsOn = spans[0]?.from ?? (isDraft && held.startsOn < today ? today : held.startsOn)
  const ready = { ...held, startsOn, beforeDays, until: startsOn < today ? startsOn : today }
  return {
    ...row,
    ...ownOf(row, results),
    version: held.version,
    controlPercent: held.controlPercent,
    plans: await findPlans(db, held.planIds),
    namedControls: await findNamed(db, held.controlIds),
    ...(await findSides(db, sight, ready, isDraft)),
    before: { from: addDays(startsOn, -beforeDays), to: addDays(startsOn, -1) },
    conflicts: isDraft ? await findCampaignConflicts(db, ready, ctx.now()) : [],
    spans,
    ...(await findGiven(db, sight, held, spans)),
    results,
    through: measured[0]?.through ?? null,
    measuredAt: measured[0]?.measuredAt ?? null,
    endedAt,
  }
}

async function findPlans(db: Reader, ids: readonly number[]): Promise<CampaignDetail['plans']> {
  const found = await sql<CampaignDetail['plans'][number]>`
    select p.id, p.name, p.state, v.max_uses as "maxUses", coalesce(t.uses, 0) as uses, v.budget_fen as "budgetFen",
      coalesce(t.spent_fen, 0)::bigint as "spentFen"
    from promotion_plan p join promotion_plan_version v on v.id = p.version_id
    left join promotion_tally t on t.plan_id = p.id where p.id = any(${[...ids]}::bigint[]) order by p.name`.execute(db)
  return found.rows
}

async function findNamed(db: Reader, ids: readonly number[]): Promise<CampaignDetail['namedControls']> {
  const found = await sql<{ id: number; name: string }>`
    select id, name from machine where id = any(${[...ids]}::bigint[]) order by name`.execute(db)
  return found.rows
}

const SHOWN_CONTROLS = 100
type Sides = Pick<CampaignDetail, 'controls' | 'comparable'>

/** Those that are kept out and those that are not, with what they sold a day before: of a draft, as they would be. */
async function findSides(db: Reader, sight: Sight, campaign: Ready, isDraft: boolean): Promise<Sides> {
  const kept = await sql<{ id: number; isControl: boolean }>`
    select c.machine_id as id, c.is_control as "isControl" from campaign_machine c
    where c.campaign_id = ${campaign.id}`.execute(db)
  const candidates = await findCandidates(db, campaign)
  const controls = isDraft
    ? controlsOf(campaign, candidates)
    : new Set(kept.rows.filter(({ isControl }) => isControl).map(({ id }) => id))
  const soldOf = new Map(candidates.map(({ id, soldFen }) => [id, soldFen / campaign.beforeDays]))
  const withIt = isDraft ? candidates : kept.rows
  const others = withIt.map(({ id }) => id).filter((id) => !controls.has(id))
  const mean = (ids: readonly number[]) =>
    Math.round(ids.reduce((sum, id) => sum + (soldOf.get(id) ?? 0), 0) / Math.max(1, ids.length))
  const all = [...new Set([...others, ...controls])]
  const seen = await sql<{ id: number; code: string; name: string; isControl: boolean }>`
    select id, code, name, id = any(${[...controls]}::bigint[]) as "isControl" from machine
    where id = any(${all}::bigint[]) and ${machineInSight(sight, sql`id`)} order by code`.execute(db)
  const named = seen.rows.filter(({ isControl }) => isControl).slice(0, SHOWN_CONTROLS)
  return {
    controls: named.map(({ id, code, name }) => ({ id, code, name, soldFen: Math.round(soldOf.get(id) ?? 0) })),
    // Of all of them, for whoever sees them all.
    comparable:
      seen.rows.length < all.length
        ? null
        : {
            with: others.length,
            withFen: mean(others),
            withoutFen: controls.size > 0 ? mean([...controls]) : null,
          },
  }
}

async function findSpans(db: Reader, id: number): Promise<CampaignDetail['spans']> {
  const found = await sql<CampaignDetail['spans'][number]>`
    select to_char(first_day, 'YYYY-MM-DD') as from, to_char(last_day, 'YYYY-MM-DD') as to
    from campaign_span where campaign_id = ${id} order by first_day`.execute(db)
  return found.rows
}

type Given = Pick<CampaignDetail, 'givenFen' | 'orders'>

async function findGiven(db: Reader, sight: Sight, { id, planIds }: Held, spans: CampaignDetail['spans']) {
  if (spans.length === 0) return { givenFen: 0, orders: 0 }
  const found = await sql<Given>`
    select count(distinct t.order_id)::int as orders, coalesce(sum(t.before_fen - t.after_fen), 0)::bigint as "givenFen"
    from promotion_plan_version v join order_price_step t on t.kind = 'plan' and t.reference = v.id
    join order_number n on n.order_id = t.order_id
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    join order_item i on i.merchant_id = n.merchant_id and i.occurred_at = n.occurred_at and i.order_id = n.order_id
      and i.index = t.index
    where v.plan_id = any(${planIds}::bigint[]) and i.state = 'dispensed'
      and ${machineInSight(sight, sql`n.machine_id`)}
      and exists (select from campaign_span s where s.campaign_id = ${id}
        and o.business_day between s.first_day and coalesce(s.last_day, 'infinity'))`.execute(db)
  return only(found)
}
