import { campaignState } from '@aisle/contract/promotion/campaign'
import { planState } from '@aisle/contract/promotion/plan'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import { addDays, clockTime } from '../../../kernel/businessDay'
import type { Tx } from '../../../kernel/context'
import { Refusal } from '../../../kernel/refuse'
import { judgeListing, markListed } from '../plan.listing'
import { plans, type Held as HeldPlan } from '../plan.store'
import { measure } from './campaign.measure'
import {
  campaigns,
  closeSpan,
  dayOf,
  freePlans,
  type Held,
  markControlsDue,
  openSpan,
  pausePlans,
} from './campaign.store'

/** Minutes after midnight in which a day that has begun still counts whole: as long as the job may be late. */
const GRACE_MINUTES = 10

export async function begin(tx: Tx, campaign: Held, now: Date): Promise<Held['state']> {
  const state = await campaigns.move(tx, campaign, 'begin')
  await run(tx, campaign, now)
  return state
}

export async function resumeRun(tx: Tx, campaign: Held, now: Date): Promise<Held['state']> {
  const state = await campaigns.move(tx, campaign, 'resume')
  await run(tx, campaign, now)
  return state
}

async function run(tx: Tx, campaign: Held, now: Date): Promise<void> {
  await listHeld(tx, campaign.id, now)
  await markControlsDue(tx, campaign.id)
  const { day, minute } = clockTime(now, campaign.timeZone)
  await openSpan(tx, campaign.id, minute < GRACE_MINUTES ? day : addDays(day, 1))
  await tell(tx, campaign)
}

/** A plan that can't be listed any more, such as one whose own last day has come, stays as it is and shows so. */
async function listHeld(tx: Tx, campaignId: number, now: Date): Promise<void> {
  const found = await sql<HeldPlan>`
    select p.id, p.merchant_id as "merchantId", p.name, p.state, v.id as "versionId", v.number,
      v.listed_at is not null as "isListedVersion", p.version
    from promotion_plan p join promotion_plan_version v on v.id = p.version_id
    where p.campaign_id = ${campaignId} order by p.id for update of p`.execute(tx)
  for (const plan of found.rows.filter(({ state }) => planState.can(state, 'list'))) {
    try {
      const { said } = await judgeListing(tx, plan, null, now)
      await markListed(tx, plan, { kind: null, said }, now)
    } catch (thrown) {
      if (thrown instanceof Refusal) continue
      throw thrown
    }
    await plans.move(tx, plan, 'list')
  }
}

export async function stopRun(tx: Tx, campaign: Held, now: Date): Promise<Held['state']> {
  const state = await campaigns.move(tx, campaign, 'pause')
  await pausePlans(tx, campaign.id)
  await closeSpan(tx, campaign.id, addDays(dayOf(campaign, now), -1))
  await tell(tx, campaign)
  return state
}

/** Its plans are paused, as reusable as before. What has begun is measured until its last whole day. */
export async function finish(tx: Tx, campaign: Held, now: Date): Promise<Held['state']> {
  const state = await campaigns.move(tx, campaign, 'end', { endedAt: now })
  if (campaignState.is(campaign.state, 'begun')) {
    await pausePlans(tx, campaign.id)
    await markControlsDue(tx, campaign.id)
    const yesterday = addDays(dayOf(campaign, now), -1)
    await closeSpan(tx, campaign.id, yesterday < campaign.endsOn ? yesterday : campaign.endsOn)
    await measure(tx, [campaign.id], now)
  }
  await freePlans(tx, campaign.id)
  await tell(tx, campaign)
  return state
}

const tell = (tx: Tx, { merchantId }: Held) =>
  announce(tx, { topic: 'changes', kinds: ['campaign', 'promotionPlan'], merchantIds: [merchantId], above: [] })
