import { type CampaignConflict, campaignState } from '@aisle/contract/promotion/campaign'
import { type PlanState, planState } from '@aisle/contract/promotion/plan'
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { statesIn } from '../../../kernel/states'
import { LEAST_MACHINES } from '../effect.rules'
import { findConflicts } from '../plan.reads'
import { controlsOf, findCandidates, type Ready } from './campaign.store'

type PlanRow = { id: number; name: string; state: PlanState; endsOn: string | null; other: string | null }

/** What speaks against running it, by how things are now. */
export async function findCampaignConflicts(db: Reader, campaign: Ready, now: Date): Promise<CampaignConflict[]> {
  const found = await sql<PlanRow>`
    select p.id, p.name, p.state, to_char(v.ends_on, 'YYYY-MM-DD') as "endsOn", g.name as other
    from promotion_plan p join promotion_plan_version v on v.id = p.version_id
    left join campaign g on g.id = p.campaign_id and g.id <> ${campaign.id}
    where p.id = any(${campaign.planIds}::bigint[]) order by p.id`.execute(db)
  const ofPlans: CampaignConflict[] = []
  for (const plan of found.rows) ofPlans.push(...(await planConflicts(db, campaign, plan, now)))
  return [...ofPlans, ...(await machineConflicts(db, campaign))]
}

async function planConflicts(db: Reader, { startsOn }: Ready, plan: PlanRow, now: Date): Promise<CampaignConflict[]> {
  const of = (kind: CampaignConflict['kind'], count = 1, name = plan.name): CampaignConflict[] => [
    { kind, count, name, planId: plan.id, campaignId: null },
  ]
  const own = await findConflicts(db, plan.id, now)
  const isNowhere = own.some(({ kind }) => kind === 'nowhere')
  const isOver = planState.is(plan.state, 'over') || (plan.endsOn !== null && plan.endsOn < startsOn)
  return [
    ...(plan.other === null ? [] : of('planTaken', 1, `${plan.name} · ${plan.other}`)),
    ...(isNowhere ? of('planNowhere') : []),
    ...(isOver ? of('planOver') : []),
    ...(planState.is(plan.state, 'listed') ? of('planListed') : []),
    ...(own.length > 0 && !isNowhere ? of('planSpeaks', own.length) : []),
  ]
}

async function machineConflicts(db: Reader, campaign: Ready): Promise<CampaignConflict[]> {
  const candidates = await findCandidates(db, campaign)
  const controls = controlsOf(campaign, candidates)
  const ids = [...new Set([...candidates.map(({ id }) => id), ...controls])]
  const shared = await sql<{ campaignId: number; name: string; count: number }>`
    select g.id as "campaignId", g.name, count(*)::int as count
    from campaign g join campaign_machine c on c.campaign_id = g.id
    where g.state in ${statesIn(campaignState, 'holding')} and g.id <> ${campaign.id}
      and c.machine_id = any(${ids}::bigint[]) and (c.is_control or c.machine_id = any(${[...controls]}::bigint[]))
      and g.starts_on <= ${campaign.endsOn}::date and g.ends_on >= ${campaign.startsOn}::date
    group by 1, 2 order by 1`.execute(db)
  const plain = { name: '', planId: null, campaignId: null }
  const withIt = candidates.filter(({ id }) => !controls.has(id)).length
  const isFew = controls.size < LEAST_MACHINES || withIt < LEAST_MACHINES
  return [
    ...shared.rows.map((row): CampaignConflict => ({ kind: 'machinesShared', planId: null, ...row })),
    ...(controls.size === 0 ? [{ ...plain, kind: 'noControl' as const, count: withIt }] : []),
    ...(controls.size > 0 && isFew ? [{ ...plain, kind: 'fewMachines' as const, count: controls.size }] : []),
  ]
}
