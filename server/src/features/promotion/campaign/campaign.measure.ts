import { sql } from 'kysely'
import type { Tx } from '../../../kernel/context'

/**
 * What both sides came to, before and during, through yesterday of the merchant's calendar. Each machine is one value,
 * its change a day; machines that have been retired since are on neither side. Done again it says the same, but for
 * sales and refunds that have been told since.
 */
export async function measure(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  await sql`
    with own as (
      select g.id, g.before_days, min(s.first_day) as first_day, t.through,
        sum(least(coalesce(s.last_day, t.through), t.through) - s.first_day + 1)
          filter (where s.first_day <= t.through)::int as days
      from campaign g join merchant m on m.id = g.merchant_id join campaign_span s on s.campaign_id = g.id
      cross join lateral (select (${now}::timestamptz at time zone m.time_zone)::date - 1 as through) t
      where g.id = any(${[...ids]}::bigint[]) group by g.id, g.before_days, t.through
    ), sold as (
      select own.id, c.is_control, c.machine_id, r.business_day < own.first_day as is_before,
        sum(r.paid_fen - r.refunded_fen) as sales,
        sum(r.paid_fen - r.refunded_fen - r.cost_fen + r.refunded_cost_fen) as margin,
        sum(r.quantity - r.refunded_quantity) as pieces
      from own join campaign_machine c on c.campaign_id = own.id
      join machine a on a.id = c.machine_id and a.retired_at is null
      join rollup_day_machine_product r on r.machine_id = c.machine_id
        and r.business_day >= own.first_day - own.before_days and r.business_day <= own.through
      where own.days > 0 and (r.business_day < own.first_day or exists (
        select from campaign_span s where s.campaign_id = own.id
          and r.business_day between s.first_day and coalesce(s.last_day, own.through)))
      group by 1, 2, 3, 4
    ), machine_day as (
      select own.id, c.is_control, own.days, own.through, v.measure,
        coalesce(sum(v.value) filter (where sold.is_before), 0)::float8 / own.before_days as before,
        coalesce(sum(v.value) filter (where not sold.is_before), 0)::float8 / own.days as during
      from own join campaign_machine c on c.campaign_id = own.id
      join machine a on a.id = c.machine_id and a.retired_at is null
      left join sold on sold.id = own.id and sold.machine_id = c.machine_id
      cross join lateral (values ('sales', sold.sales), ('margin', sold.margin), ('pieces', sold.pieces))
        as v (measure, value)
      where own.days > 0 group by own.id, c.is_control, own.days, own.through, own.before_days, c.machine_id, v.measure
    )
    insert into campaign_result as r (campaign_id, measure, is_control, machines, days, before_mean, during_mean,
      change_variance, through, measured_at)
    select id, measure, is_control, count(*), days, avg(before), avg(during),
      coalesce(var_samp(during - before), 0), through, ${now}
    from machine_day group by id, measure, is_control, days, through
    on conflict (campaign_id, measure, is_control) do update set machines = excluded.machines, days = excluded.days,
      before_mean = excluded.before_mean, during_mean = excluded.during_mean,
      change_variance = excluded.change_variance, through = excluded.through, measured_at = excluded.measured_at
  `.execute(tx)
}
