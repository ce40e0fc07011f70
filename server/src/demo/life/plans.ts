import { addCampaign, getCampaign, scheduleCampaign } from '@aisle/contract/promotion/campaign'
import { addPlan, getPlan, listPlan } from '@aisle/contract/promotion/plan'
import { sql } from 'kysely'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Past } from './within'

/** Before the first customer comes, so that orders show what they got. */
export async function listPlans({ as, tx }: Past): Promise<void> {
  // Of what fewest machines hold: the others sell as they are looked at elsewhere.
  const rare = await sql<{ id: number }>`select p.id from slot s join product p on p.id = s.product_id
    join machine k on k.id = s.machine_id join merchant m on m.id = k.merchant_id
    where p.kind = 'goods' and p.state = 'online' and m.code = 'EAST' and s.price_fen > 0
    group by p.id order by count(*), p.id limit 3`.execute(tx)
  const productIds = rare.rows.map(({ id }) => id)
  const plans = [
    { name: '尝鲜九折', kind: 'rate' as const, paidPercent: 90, productIds },
    {
      name: '满 20 减 3',
      kind: 'threshold' as const,
      leastFen: 2000,
      amountFen: 300,
      perOrder: 1,
      priority: 6,
      maxUses: 2000,
    },
    { name: '会员九折', kind: 'rate' as const, paidPercent: 90, levels: [2, 3, 4, 5], priority: 4 },
  ]
  for (const said of plans) {
    const { id } = await as('merchant', addPlan, said)
    const { conflicts } = await as('merchant', getPlan, { id })
    await as('merchant', listPlan, { id, conflictsSeen: conflicts.length })
  }
  // One that is still being thought about.
  await as('merchant', addPlan, { name: '第二件半价', kind: 'nth', pieces: 2, paidPercent: 50, priority: 7 })
}

/** A fortnight of the plan that was thought about, from tomorrow on; two of five machines are left as they are. */
export async function planCampaign({ as, tx, latestMs }: Past): Promise<void> {
  const found = await sql<{ id: number }>`select id from promotion_plan where name = '第二件半价'`.execute(tx)
  const today = businessTime(new Date(latestMs), PLATFORM_TIME_ZONE).day
  const days = { startsOn: addDays(today, 1), endsOn: addDays(today, 14) }
  const planIds = found.rows.map((plan) => plan.id)
  const said = { name: '第二件半价两周', goalPercent: 5, planIds, controlPercent: 40, ...days }
  const { id } = await as('merchant', addCampaign, said)
  const { conflicts } = await as('merchant', getCampaign, { id })
  await as('merchant', scheduleCampaign, { id, conflictsSeen: conflicts.length })
}
