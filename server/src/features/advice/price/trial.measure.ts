import { sql } from 'kysely'
import type { Reader, Tx } from '../../../kernel/context'
import { type Arm } from '../../promotion/public'

/**
 * What the product earned a day at each machine of both sides, before and since, through yesterday of the merchant's
 * calendar. The day on which prices changed is on neither. Done again it says the same, but for what was told since.
 */
export async function measureTrials(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  await sql`
    with own as (
      select t.id, t.product_id, t.starts_on, t.before_days::int as before_days,
        least(t.ends_on, (${now}::timestamptz at time zone m.time_zone)::date - 1) as through
      from price_trial t join merchant m on m.id = t.merchant_id where t.id = any(${[...ids]}::bigint[])
    ), machine_day as (
      select o.id, c.is_control, o.through, o.through - o.starts_on + 1 as days,
        coalesce(sum(r.fen) filter (where r.business_day < o.starts_on), 0)::float8 / o.before_days as before,
        coalesce(sum(r.fen) filter (where r.business_day >= o.starts_on), 0)::float8
          / (o.through - o.starts_on + 1) as during
      from own o join price_trial_machine c on c.trial_id = o.id
      join machine a on a.id = c.machine_id and a.retired_at is null
      left join lateral (
        select x.business_day, x.paid_fen - x.refunded_fen - x.cost_fen + x.refunded_cost_fen as fen
        from rollup_day_machine_product x where x.machine_id = c.machine_id and x.product_id = o.product_id
          and x.business_day >= o.starts_on - 1 - o.before_days and x.business_day <= o.through
          and x.business_day <> o.starts_on - 1) r on true
      where o.through >= o.starts_on
      group by o.id, c.is_control, o.through, o.starts_on, o.before_days, c.machine_id
    )
    insert into price_trial_result as r (trial_id, is_control, machines, days, before_mean, during_mean,
      change_variance, through)
    select id, is_control, count(*), days, avg(before), avg(during), coalesce(var_samp(during - before), 0), through
    from machine_day group by id, is_control, days, through
    on conflict (trial_id, is_control) do update set machines = excluded.machines, days = excluded.days,
      before_mean = excluded.before_mean, during_mean = excluded.during_mean,
      change_variance = excluded.change_variance, through = excluded.through`.execute(tx)
}

export type Sides = { with?: Arm; without?: Arm; through?: string }
type Row = Arm & { id: number; isControl: boolean; through: string }

export async function findResults(db: Reader, ids: readonly number[]): Promise<Map<number, Sides>> {
  const found = await sql<Row>`select trial_id as id, is_control as "isControl", machines, days,
      before_mean as before, during_mean as during, change_variance as "changeVariance",
      to_char(through, 'YYYY-MM-DD') as through
    from price_trial_result where trial_id = any(${[...ids]}::bigint[])`.execute(db)
  const sides = new Map<number, Sides>()
  for (const { id, isControl, through, ...arm } of found.rows) {
    sides.set(id, { ...sides.get(id), [isControl ? 'without' : 'with']: arm, through })
  }
  return sides
}
