import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { listPerformance, Performance } from '@aisle/contract/report/performance'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, type Listing, listRows, mapRows } from '../../kernel/list'
import { endOf, midnight } from '../../kernel/platformDays'
import { machineInSight, merchantInSight, type Sight, userGrants } from '../../kernel/scope'
import type { Period } from './period.rules'

type Person = Pick<Performance, 'id' | 'displayName' | 'account' | 'merchantName' | 'roles'>
type Figures = Omit<Performance, keyof Person> & { id: number }

/** People with machines in their care, by name; the figures are worked out for one page of them at a time. */
export function listPerformanceIn(
  sight: Sight,
  filter: InputOf<typeof listPerformance>,
  period: Period,
  now: Date,
): Listing<Performance> {
  const people = listRows({
    rows: sql<Person>`
        select u.id, u.display_name as "displayName", u.account, m.name as "merchantName",
          coalesce((select string_agg(r.name, ' · ' order by r.name)
            from user_role ur join role r on r.id = ur.role_id where ur.user_id = u.id), '') as roles
        from app_user u join merchant m on m.id = u.merchant_id
        where u.kind = 'ordinary' and u.state = 'active' and ${merchantInSight(sight, sql.ref('u.merchant_id'))}
          and exists (select from (${userGrants}) granted where granted.user_id = u.id)`,
    where: allOf([filter.q && sql`(${holds(sql`"displayName"`, filter.q)} or ${holds(sql`account`, filter.q)})`]),
    order: { by: sql`"displayName"`, type: 'text' },
  })
  return mapRows(people, async (rows, db) => {
    const ids = rows.map(({ id }) => id)
    const figures = await figuresOf(db, sight, ids, period, now)
    return rows.map((person) => ({ ...nothing, ...figures.get(person.id), ...person }))
  })
}

const nothing = {
  machineCount: 0,
  fillCount: 0,
  filledUnits: 0,
  correctedPermille: null,
  stockOutHours: 0,
  stockOutMinutesPerDay: null,
  repairCount: 0,
  repairHours: null,
  orderCount: 0,
  paidFen: 0,
  lastFilledAt: null,
}

async function figuresOf(
  db: Reader,
  sight: Sight,
  userIds: readonly number[],
  { from, to, days }: Period,
  now: Date,
): Promise<Map<number, Figures>> {
  const begins = midnight(from)
  const ends = sql`least(${endOf(to)}, ${now}::timestamptz)`
  const found = await sql<Figures>`
    with care as materialized (
      select distinct granted.user_id, granted.machine_id from (${userGrants}) granted
      where granted.user_id = any(${[...userIds]}::bigint[])
        and ${machineInSight(sight, sql.ref('granted.machine_id'))}),
    machine as (select distinct machine_id from care),
    filled as (
      select s.machine_id, count(*) filter (where v.cause = 'fill') as fills,
        sum(v.quantity) filter (where v.cause = 'fill') as units,
        max(v.moved_at) filter (where v.cause = 'fill') as last_at
      from machine join slot s using (machine_id) join stock_move v on s.place_id = v.to_place_id
      where v.cause = 'fill' and v.moved_at >= ${begins} and v.moved_at < ${ends} group by 1),
    -- What somebody counted, each difference with what was heard later of before it: that is no error of anybody.
    counted as (
      select machine_id, sum(abs(pieces)) as corrected from (
        select s.machine_id, s.place_id, v.product_id, v.moved_at,
          sum(case when v.to_place_id = s.place_id then v.quantity else -v.quantity end) as pieces
        from machine join slot s using (machine_id) join stock_move v on s.place_id in (v.to_place_id, v.from_place_id)
        where v.cause = 'count' and v.reference like 'count/%' and v.moved_at >= ${begins} and v.moved_at < ${ends}
        group by 1, 2, 3, 4) n group by 1),
    empty as (
      select s.machine_id, sum(extract(epoch from
        least(coalesce(o.ended_at, ${ends}), ${ends}) - greatest(o.began_at, ${begins}))) as seconds
      from machine join slot s using (machine_id) join stock_out o on o.place_id = s.place_id
      where o.began_at < ${ends} and (o.ended_at is null or o.ended_at > ${begins}) group by 1),
    repaired as (
      select machine_id, count(*) as repairs, sum(extract(epoch from r.done_at - r.created_at)) as seconds
      from machine join repair_order r using (machine_id)
      where r.kind = 'repair' and r.done_at >= ${begins} and r.done_at < ${ends} group by 1),
    sold as (
      select machine_id, sum(orders) as orders, sum(paid_fen) as paid_fen
      from rollup_day_machine join machine using (machine_id)
      where business_day between ${from}::date and ${to}::date group by 1)
    select c.user_id as id, count(*)::int as "machineCount", coalesce(sum(f.fills), 0)::int as "fillCount",
      coalesce(sum(f.units), 0)::int as "filledUnits",
      round(1000 * coalesce(sum(n.corrected), 0) / nullif(sum(f.units), 0))::int as "correctedPermille",
      round(coalesce(sum(e.seconds), 0) / 3600)::int as "stockOutHours",
      round(coalesce(sum(e.seconds), 0) / 60 / count(*) / ${days})::int as "stockOutMinutesPerDay",
      coalesce(sum(r.repairs), 0)::int as "repairCount",
      round(sum(r.seconds) / 3600 / nullif(sum(r.repairs), 0))::int as "repairHours",
      coalesce(sum(s.orders), 0)::int as "orderCount", coalesce(sum(s.paid_fen), 0)::bigint as "paidFen",
      to_json(max(f.last_at)) #>> '{}' as "lastFilledAt"
    from care c left join filled f using (machine_id) left join counted n using (machine_id)
    left join empty e using (machine_id) left join repaired r using (machine_id)
    left join sold s using (machine_id) group by 1`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}
