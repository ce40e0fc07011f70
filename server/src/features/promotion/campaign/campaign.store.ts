import { type CampaignSaid, type CampaignState, campaignState } from '@aisle/contract/promotion/campaign'
import { planState } from '@aisle/contract/promotion/plan'
import { sql } from 'kysely'
import { businessTime } from '../../../kernel/businessDay'
import type { CommandContext, Reader, Tx } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { stateful, statesFrom, statesIn, stateTo } from '../../../kernel/states'
import { type Candidate, chooseControls } from './campaign.rules'

/** @throws Refusal campaign.state */
export const campaigns = stateful('campaign', 'state', campaignState, {
  versioned: true,
  refuse: ({ id }) => refuse('campaign.state', { id }),
})

export type Held = Omit<CampaignSaid, 'name'> & {
  id: number
  merchantId: number
  name: string
  state: CampaignState
  beforeDays: number | null
  /** What the calendar of its merchant says. */
  timeZone: string
  version: number
}

export const heldColumns = sql`g.id, g.merchant_id as "merchantId", g.name, g.state, g.measure,
  g.goal_percent as "goalPercent", to_char(g.starts_on, 'YYYY-MM-DD') as "startsOn",
  to_char(g.ends_on, 'YYYY-MM-DD') as "endsOn", to_json(g.plan_ids) as "planIds",
  g.control_percent as "controlPercent", to_json(g.control_ids) as "controlIds", g.before_days as "beforeDays",
  m.time_zone as "timeZone", g.version`

type Verb = keyof typeof campaignState.moves

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function hold(ctx: CommandContext, id: number, verb: Verb | null): Promise<Held> {
  const found = await sql<Held>`select ${heldColumns} from campaign g join merchant m on m.id = g.merchant_id
    where g.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`g.merchant_id`)} for update of g`.execute(ctx.tx)
  const held = existing(found.rows[0])
  if (verb) campaigns.must(held, verb)
  return held
}

export const dayOf = ({ timeZone }: Pick<Held, 'timeZone'>, now: Date): string => businessTime(now, timeZone).day

/** A campaign as it would begin; `until`: the first day that has not been sold on whole, or is its own. */
export type Ready = Held & { beforeDays: number; until: string }
type Scoped = Pick<Ready, 'planIds' | 'controlIds' | 'controlPercent' | 'id' | 'beforeDays' | 'until'>

/** Machines with something that one of the plans is about, and what they sold in the last such days. */
export async function findCandidates(db: Reader, { planIds, beforeDays, until }: Scoped): Promise<Candidate[]> {
  const found = await sql<Candidate>`
    with scope as (
      select p.merchant_id, v.machine_ids, v.group_ids, v.product_ids, v.category_ids
      from promotion_plan p join promotion_plan_version v on v.id = p.version_id
      where p.id = any(${[...planIds]}::bigint[])
    ), met as (
      select a.id from machine a join merchant m on m.id = a.merchant_id
      where a.retired_at is null and exists (
        select from scope o where o.merchant_id = any(m.path)
          and (cardinality(o.machine_ids) + cardinality(o.group_ids) = 0 or a.id = any(o.machine_ids)
            or exists (select from machine_group_member b where b.machine_id = a.id and b.group_id = any(o.group_ids)))
          and exists (
            select from slot s join product x on x.id = s.product_id
            left join category c on c.id = x.category_id left join category c2 on c2.id = c.parent_id
            left join category c3 on c3.id = c2.parent_id
            where s.machine_id = a.id and s.price_fen > 0
              and (cardinality(o.product_ids) + cardinality(o.category_ids) = 0 or x.id = any(o.product_ids)
                or o.category_ids && array[c.id, c2.id, c3.id, c3.parent_id])))
    )
    select met.id, sum(r.paid_fen - r.refunded_fen)::bigint as "soldFen"
    from met join rollup_day_machine r on r.machine_id = met.id
      and r.business_day >= ${until}::date - ${beforeDays}::int and r.business_day < ${until}::date
    group by 1 order by 1`.execute(db)
  return found.rows
}

/** @returns of the candidates those that stay out */
export const controlsOf = (campaign: Scoped, candidates: readonly Candidate[]): Set<number> =>
  new Set(
    campaign.controlIds.length > 0
      ? campaign.controlIds
      : chooseControls(candidates, campaign.controlPercent, campaign.id),
  )

/** What is compared is fixed before anything happens, so that no result can choose it. */
export async function fixMachines(tx: Tx, campaign: Scoped): Promise<{ machines: number; controls: number }> {
  const candidates = await findCandidates(tx, campaign)
  const controls = controlsOf(campaign, candidates)
  const all = [...new Set([...candidates.map(({ id }) => id), ...controls])]
  await sql`delete from campaign_machine where campaign_id = ${campaign.id}`.execute(tx)
  await sql`insert into campaign_machine (campaign_id, machine_id, is_control)
    select ${campaign.id}, id, id = any(${[...controls]}::bigint[]) from unnest(${all}::bigint[]) as id`.execute(tx)
  return { machines: all.length - controls.size, controls: controls.size }
}

/** A plan that is in another is not taken. @returns how many are held now */
export async function holdPlans(tx: Tx, { id, planIds }: Pick<Held, 'id' | 'planIds'>): Promise<number> {
  const held = await sql`update promotion_plan set campaign_id = ${id}
    where id = any(${planIds}::bigint[]) and campaign_id is null`.execute(tx)
  return Number(held.numAffectedRows ?? 0)
}

export async function freePlans(tx: Tx, id: number): Promise<void> {
  await sql`update promotion_plan set campaign_id = null where campaign_id = ${id}`.execute(tx)
}

/** Also those that were listed before it. */
export async function pausePlans(tx: Tx, id: number): Promise<void> {
  await sql`update promotion_plan set state = ${stateTo(planState, 'pause')}, version = version + 1
    where campaign_id = ${id} and state in ${statesFrom(planState, 'pause')}`.execute(tx)
}

/** What machines that stay out show may be another price now. */
export async function markControlsDue(tx: Tx, id: number): Promise<void> {
  await sql`insert into offer_due (slot_id)
    select s.id from campaign_machine c join slot s on s.machine_id = c.machine_id
    where c.campaign_id = ${id} and c.is_control`.execute(tx)
}

/** Of whole days alone: one that is begun later counts from the next. */
export async function openSpan(tx: Tx, id: number, firstDay: string): Promise<void> {
  await sql`insert into campaign_span (campaign_id, first_day) values (${id}, ${firstDay}::date)
    on conflict (campaign_id, first_day) do update set last_day = null`.execute(tx)
}

export async function closeSpan(tx: Tx, id: number, lastDay: string): Promise<void> {
  await sql`delete from campaign_span
    where campaign_id = ${id} and last_day is null and first_day > ${lastDay}::date`.execute(tx)
  await sql`update campaign_span set last_day = ${lastDay}::date
    where campaign_id = ${id} and last_day is null`.execute(tx)
}

/** Those whose day has come, or is over. */
export async function findDue(tx: Tx, now: Date): Promise<(Held & { isOver: boolean })[]> {
  const today = sql`(${now}::timestamptz at time zone m.time_zone)::date`
  const found = await sql<Held & { isOver: boolean }>`
    select ${heldColumns}, g.ends_on < ${today} as "isOver"
    from campaign g join merchant m on m.id = g.merchant_id
    where g.state in ${statesIn(campaignState, 'holding')}
      and (g.ends_on < ${today} or (g.state in ${statesFrom(campaignState, 'begin')} and g.starts_on <= ${today}))
    order by g.id for update of g`.execute(tx)
  return found.rows
}
