import { addCampaign, getCampaign, scheduleCampaign } from '@aisle/contract/promotion/campaign'
import { addPlan, getPlan, listPlan } from '@aisle/contract/promotion/plan'
import { sql } from 'kysely'
import { thoughtAbout, usualPlans } from '../data/promotions'
import type { Past } from './within'

/** Of the operator's goods, those that fewest machines hold: the others sell as they are looked at elsewhere. */
export async function rareGoods({ tx }: Past, count: number): Promise<number[]> {
  const found = await sql<{ id: number }>`select p.id from slot s join product p on p.id = s.product_id
    join machine k on k.id = s.machine_id join merchant m on m.id = k.merchant_id
    where p.kind = 'goods' and p.state = 'online' and m.code = 'EAST' and s.price_fen > 0
    group by p.id order by count(*), p.id limit ${sql.lit(count)}`.execute(tx)
  return found.rows.map(({ id }) => id)
}

/** Before the first customer comes, so that orders show what they got. @returns what is still being thought about */
export async function listPlans(past: Past): Promise<number> {
  const { as } = past
  const productIds = await rareGoods(past, 3)
  for (const { isOfFew, ...said } of usualPlans) {
    const { id } = await as('merchant', addPlan, { ...said, ...(isOfFew ? { productIds } : {}) })
    const { conflicts } = await as('merchant', getPlan, { id })
    await as('merchant', listPlan, { id, conflictsSeen: conflicts.length })
  }
  return (await as('merchant', addPlan, thoughtAbout)).id
}

/** A fortnight of the plan that was thought about, from tomorrow on; two of five machines are left as they are. */
export async function planCampaign({ as, day }: Past, planId: number): Promise<void> {
  const said = { name: '第二件半价两周', goalPercent: 5, planIds: [planId], controlPercent: 40 }
  const { id } = await as('merchant', addCampaign, { ...said, startsOn: day(1), endsOn: day(14) })
  const { conflicts } = await as('merchant', getCampaign, { id })
  await as('merchant', scheduleCampaign, { id, conflictsSeen: conflicts.length })
}
