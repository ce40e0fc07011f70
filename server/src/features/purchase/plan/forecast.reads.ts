import { batchState } from '@aisle/contract/medicine/batchState'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { statesIn } from '../../../kernel/states'
import { isOffline } from '../../catalog/public'
import type { Held } from './forecast.rules'

/** Four of each weekday; an older sale counts half as much every ten days. */
const DAYS = 28
const HALF_DAYS = 10
/** How a machine's week goes is told by eight of them, and by its merchant's as long as it sold less than that. */
const WEEK_DAYS = 56
const BORROWED_ORDERS = 20

export type Asked = { merchantId: number; today: string; now: Date; coverDays: number; hasMedicine: boolean }

/** Machines with what each day of the week counts for there: seven a machine, of mean 1. */
const profiles = ({ merchantId, today }: Pick<Asked, 'merchantId' | 'today'>): RawBuilder<unknown> => sql`
  machine_now as materialized (
    select id, time_zone from machine where merchant_id = ${merchantId} and retired_at is null),
  daily as (
    select r.machine_id, r.business_day, sum(r.orders) as orders from machine_now m
    join rollup_day_machine r on r.machine_id = m.id
      and r.business_day >= ${today}::date - ${WEEK_DAYS}::int and r.business_day < ${today}::date
    group by 1, 2),
  -- Whole weeks alone: whoever began on a Friday has no more Fridays than Mondays.
  own as (
    select d.machine_id, extract(isodow from d.business_day)::int as weekday, sum(d.orders) as orders
    from daily d join (select machine_id, (${today}::date - min(business_day)) / 7 * 7 as days from daily group by 1) f
      using (machine_id)
    where d.business_day >= ${today}::date - f.days group by 1, 2),
  profile as materialized (
    select m.id as machine_id, w.weekday,
      (7 * (coalesce(o.orders, 0) + ${BORROWED_ORDERS}::int * case when a.orders > 0
          then coalesce(s.orders, 0) / a.orders else 1.0 / 7 end)
        / (coalesce(t.orders, 0) + ${BORROWED_ORDERS}::int))::float8 as factor
    from machine_now m cross join generate_series(1, 7) as w (weekday)
    cross join (select coalesce(sum(orders), 0) as orders from own) a
    left join own o on o.machine_id = m.id and o.weekday = w.weekday
    left join (select machine_id, sum(orders) as orders from own group by 1) t on t.machine_id = m.id
    left join (select weekday, sum(orders) as orders from own group by 1) s on s.weekday = w.weekday)`

/** By machine, Monday first. */
export async function findProfiles(db: Reader, asked: Asked): Promise<Map<number, number[]>> {
  const found = await sql<{ machineId: number; week: number[] }>`with ${profiles(asked)}
    select machine_id as "machineId", array_agg(factor order by weekday) as week from profile group by 1`.execute(db)
  return new Map(found.rows.map(({ machineId, week }) => [machineId, week]))
}

/** Slots of the merchant's machines that are to sell something; what waits to be put in stands for what is there. */
const slotsNow = ({ hasMedicine }: Pick<Asked, 'hasMedicine'>): RawBuilder<unknown> => sql`
  slot_now as materialized (
    select m.id as machine_id, s.place_id, p.id as product_id, coalesce(s.next_capacity, s.capacity) as capacity,
      s.next_product_id is not null as is_next
    from machine_now m join slot s on s.machine_id = m.id
    join product p on p.id = coalesce(s.next_product_id, s.product_id)
    where s.choice <> 'stopped_sale' and not p.is_unknown and not ${isOffline}
      and (${hasMedicine}::boolean or p.kind <> 'medicine'))`

/**
 * When no slot of a machine that holds a product had any; before the first was filled, too. Only times that began
 * within a quarter before are looked at, and those that last.
 */
const timesOut = (begins: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`
  times_out as materialized (
    select s.machine_id, s.product_id,
      range_intersect_agg(coalesce(o.times, '{}'::tstzmultirange) + coalesce(f.times, '{}'::tstzmultirange)) as times
    from slot_now s
    left join lateral (
      select range_agg(tstzrange(o.began_at, coalesce(o.ended_at, ${now}::timestamptz))) as times from stock_out o
      where o.place_id = s.place_id and o.product_id = s.product_id and o.began_at < ${now}::timestamptz
        and (o.ended_at is null or (o.ended_at > ${begins} and o.began_at >= ${begins} - interval '90 days'))) o on true
    left join lateral (
      -- Whatever came out before had been there.
      select tstzmultirange(tstzrange(null, i.moved_at)) as times
      from (select v.moved_at from stock_move v where v.to_place_id = s.place_id and v.product_id = s.product_id
          and v.moved_at >= ${begins} - interval '28 days' order by v.moved_at limit 1) i
      where not exists (select from stock_move v where v.from_place_id = s.place_id and v.product_id = s.product_id
        and v.moved_at >= ${begins} - interval '28 days' and v.moved_at < i.moved_at)) f on true
    group by 1, 2)`

/**
 * Of each machine and product what it holds, and what it sold in the last four weeks while it had any. Sales are read
 * from the figures of days, and times without goods as they were kept: it costs the same however old the network is.
 */
export async function findHeld(db: Reader, asked: Asked): Promise<Held[]> {
  const { today, now, coverDays } = asked
  const begins = sql`((${today}::date - ${DAYS}::int)::timestamp at time zone 'UTC')`
  const found = await sql<Held>`with ${profiles(asked)}, ${slotsNow(asked)}, ${timesOut(begins, now)},
    days as materialized (
      select m.id as machine_id, d.day, (d.day::timestamp at time zone m.time_zone) as starts,
        ((d.day + 1)::timestamp at time zone m.time_zone) as ends, d.decay, d.decay * p.factor as weight
      from machine_now m
      cross join (select ${today}::date - n as day, power(0.5, (n - 1) / ${HALF_DAYS}::float8) as decay
        from generate_series(1, ${DAYS}::int) n) d
      join profile p on p.machine_id = m.id and p.weekday = extract(isodow from d.day)),
    sold as (
      select r.machine_id, r.product_id, sum(d.decay * greatest(0, r.quantity - r.refunded_quantity)) as pieces
      from days d join rollup_day_machine_product r on r.machine_id = d.machine_id and r.business_day = d.day
      group by 1, 2),
    lost as (
      select t.machine_id, t.product_id, sum(d.weight * extract(epoch from
          least(d.ends, upper(gone.span)) - greatest(d.starts, lower(gone.span)))
        / extract(epoch from d.ends - d.starts)) as weight
      from times_out t
      cross join lateral unnest(t.times * tstzmultirange(tstzrange(${begins} - interval '1 day', ${now}::timestamptz)))
        as gone (span)
      join days d on d.machine_id = t.machine_id and d.starts < upper(gone.span) and d.ends > lower(gone.span)
      group by 1, 2)
    select s.machine_id as "machineId", s.product_id as "productId", s.slots, s.capacity, s.there,
      coalesce(v.pieces, 0)::float8 as sold,
      greatest(0, w.weight - coalesce(l.weight, 0))::float8 as exposure
    from (
      select s.machine_id, s.product_id, count(*)::int as slots, sum(s.capacity)::int as capacity,
        coalesce(sum(case when s.is_next then 0 else greatest(0, coalesce(l.quantity, 0) - coalesce(b.stopped, 0)) end),
          0)::int as there
      from slot_now s left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
      left join (
        select y.place_id, y.product_id, sum(y.quantity)::int as stopped from slot_layer y
        join medicine_batch b on b.product_id = y.product_id and b.number = y.batch
        where b.state in ${statesIn(batchState, 'stopped')} or b.expires_on < ${today}::date + ${coverDays}::int
        group by 1, 2) b on b.place_id = s.place_id and b.product_id = s.product_id
      group by 1, 2) s
    join (select machine_id, sum(weight) as weight from days group by 1) w on w.machine_id = s.machine_id
    left join sold v on v.machine_id = s.machine_id and v.product_id = s.product_id
    left join lost l on l.machine_id = s.machine_id and l.product_id = s.product_id
    order by s.product_id, s.machine_id`.execute(db)
  return found.rows
}

export type Measured = { productId: number; stockedPermille: number }

/** Of each product, how much of a time its slots had any, machine by machine, in thousandths. */
export async function findStocked(
  db: Reader,
  merchantId: number,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<Measured[]> {
  const zone = sql`(select time_zone from merchant where id = ${merchantId})`
  const begins = sql`(${from}::date::timestamp at time zone ${zone})`
  const ends = sql`((${to}::date + 1)::timestamp at time zone ${zone})`
  const found = await sql<Measured>`with machine_now as materialized (
      select id, time_zone from machine where merchant_id = ${merchantId} and retired_at is null),
    ${slotsNow({ hasMedicine: true })}, ${timesOut(begins, now)}
    select t.product_id as "productId",
      greatest(0, round(1000 * (1 - avg(coalesce(g.gone, 0)))))::int as "stockedPermille"
    from times_out t left join lateral (
      select sum(extract(epoch from upper(span) - lower(span))) / extract(epoch from ${ends} - ${begins}) as gone
      from unnest(t.times * tstzmultirange(tstzrange(${begins}, ${ends}))) as span) g on true
    group by 1`.execute(db)
  return found.rows
}
