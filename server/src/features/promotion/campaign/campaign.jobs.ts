import { campaignState } from '@aisle/contract/promotion/campaign'
import { sql } from 'kysely'
import { writeSystemAudit } from '../../../kernel/audit'
import type { Services } from '../../../kernel/context'
import type { Job } from '../../../kernel/jobs'
import { statesIn } from '../../../kernel/states'
import { measure } from './campaign.measure'
import { begin, finish } from './campaign.run'
import { findDue, type Held } from './campaign.store'

/** Late sales and refunds of its days are told for so long after it has ended. */
const SETTLING_DAYS = 35

/** What has begun or ended is found as it is, and a measuring says the same again: a second run changes nothing. */
export const jobs: Job[] = [
  { name: 'promotion.turnCampaigns', cron: '* * * * *', run: turnCampaigns },
  { name: 'promotion.measureCampaigns', cron: '40 * * * *', run: measureCampaigns },
]

export async function turnCampaigns({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    for (const { isOver, ...campaign } of await findDue(tx, now)) {
      const state = isOver ? await finish(tx, campaign, now) : await begin(tx, campaign, now)
      const entry = { objectKind: 'campaign', objectId: campaign.id, merchantId: campaign.merchantId }
      const change = { before: stateOf(campaign), after: { state } }
      await writeSystemAudit(tx, now, isOver ? 'promotion.endCampaign' : 'promotion.scheduleCampaign', {
        ...entry,
        ...change,
      })
    }
  })
}

const stateOf = ({ state }: Held) => ({ state })

/** Each by itself, once a day of its merchant has ended. */
export async function measureCampaigns({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const found = await sql<{ id: number }>`
    select g.id from campaign g join merchant m on m.id = g.merchant_id
    where (g.state in ${statesIn(campaignState, 'begun')}
        or g.ended_at > ${now}::timestamptz - make_interval(days => ${sql.lit(SETTLING_DAYS)}))
      and not exists (select from campaign_result r where r.campaign_id = g.id
        and (r.measured_at at time zone m.time_zone)::date = (${now}::timestamptz at time zone m.time_zone)::date)
    order by g.id`.execute(db)
  for (const { id } of found.rows) await db.transaction().execute((tx) => measure(tx, [id], now))
}
