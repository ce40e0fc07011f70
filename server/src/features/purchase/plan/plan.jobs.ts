import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { daysBetween } from '../../../kernel/businessDay'
import type { Services } from '../../../kernel/context'
import type { Job } from '../../../kernel/jobs'
import { dayAt } from '../../../kernel/platformDays'
import { findStocked } from './forecast.reads'
import { sumOver, type Week } from './forecast.rules'
import { errorOf, LATE_DAYS, overDays } from './plan.rules'

/** Each night, ten past one in China. Run twice it measures the same days again. */
export const jobs: Job[] = [{ name: 'purchase.measurePlans', cron: '10 17 * * *', run: measurePlans }]

type Plan = { id: number; merchantId: number; fromOn: string; horizonDays: number; today: string }

/** Sets what was sold beside what was forecast, for plans of whose days sales may still be told. */
export async function measurePlans(services: Services): Promise<void> {
  const now = services.clock.now()
  const today = dayAt(now, sql`m.time_zone`)
  const found =
    await sql<Plan>`select p.id, p.merchant_id as "merchantId", to_char(p.from_on, 'YYYY-MM-DD') as "fromOn",
      p.horizon_days as "horizonDays", to_char(${today}, 'YYYY-MM-DD') as today
    from purchase_plan p join merchant m on m.id = p.merchant_id
    where p.from_on < ${today} and p.from_on > ${now}::timestamptz::date - 90
      and p.from_on + p.horizon_days + ${LATE_DAYS}::int >= ${today} order by p.id`.execute(services.db)
  for (const plan of found.rows) await measure(services, plan)
}

type Line = { id: number; productId: number; week: Week; sold: number }

async function measure({ db, clock }: Services, plan: Plan): Promise<void> {
  const over = overDays(plan, plan.today)
  if (!over) return
  const { from, to } = over
  const now = clock.now()
  const stocked = new Map(
    (await findStocked(db, plan.merchantId, { from, to, now })).map((one) => [one.productId, one.stockedPermille]),
  )
  const { rows: lines } = await sql<Line>`select l.id, l.product_id as "productId", l.weekday::float8[] as week,
      coalesce((select sum(greatest(0, r.quantity - r.refunded_quantity)) from rollup_day_product r
        where r.merchant_id = ${plan.merchantId} and r.product_id = l.product_id
          and r.business_day between ${from}::date and ${to}::date), 0)::int as sold
    from purchase_plan_line l where l.plan_id = ${plan.id}`.execute(db)
  const days = daysBetween(from, to) + 1
  const measured = lines.map(({ id, productId, week, sold }) => {
    const stockedPermille = stocked.get(productId) ?? 0
    return { id, sold, stockedPermille, forecastThen: (sumOver(week, from, days) * stockedPermille) / 1000 }
  })
  const { errorPermille, biasPermille } = errorOf(measured) ?? { errorPermille: null, biasPermille: null }
  await db.transaction().execute(async (tx) => {
    await sql`update purchase_plan_line l set sold = c.sold, forecast_then = c.forecast_then,
        stocked_permille = c.stocked_permille
      from ${rows('c', measured, { id: 'bigint', sold: 'int', forecastThen: 'real', stockedPermille: 'int' })}
      where l.id = c.id`.execute(tx)
    await sql`update purchase_plan set measured_to = ${to}::date, error_permille = ${errorPermille},
      bias_permille = ${biasPermille} where id = ${plan.id}`.execute(tx)
  })
}
