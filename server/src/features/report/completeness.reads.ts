import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getCompleteness } from '@aisle/contract/report/overview'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf } from '../../kernel/list'
import { endOf, midnight } from '../../kernel/platformDays'
import { machineRowInSight, type Sight } from '../../kernel/scope'
import type { Period } from './period.rules'

type Counted = Omit<OutputOf<typeof getCompleteness>, 'from' | 'to' | 'beforeFrom' | 'beforeTo' | 'isOpen'>

/** What is asked of and when: today at the network's home. */
type At = { period: Period; today: string; now: Date }

/** Of machines that are in use; what one tells later comes into the days on which it was sold. */
export async function completeness(
  db: Reader,
  sight: Sight,
  { merchantId, machineCode }: Pick<InputOf<typeof getCompleteness>, 'merchantId' | 'machineCode'>,
  { period, today, now }: At,
): Promise<OutputOf<typeof getCompleteness>> {
  const { from, to, days } = period
  const begins = midnight(from)
  const ends = sql`least(${endOf(to)}, ${now}::timestamptz)`
  const found = await sql<Counted>`
    with seen as materialized (
      select m.id, m.time_zone, s.is_connected, s.last_seen_at,
        greatest(${begins}, least(m.deployed_at, m.created_at)) as since from machine m
      left join machine_state s on s.machine_id = m.id
      where m.retired_at is null and ${machineRowInSight(sight, 'm')} and ${allOf([
        machineCode && sql`m.code = ${machineCode}`,
        merchantId && sql`m.merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
      ])}),
    -- From when one was last heard until it was heard again, which is what its alarm says.
    silence as (
      select coalesce(sum(greatest(0, extract(epoch from
          least(coalesce(a.closed_at, 'infinity'), ${ends}) - greatest(a.opened_at, seen.since)))), 0) as seconds
      from alarm a join seen on seen.id = a.machine_id
      where a.cause = 'offline' and coalesce(a.closed_at, 'infinity') > ${begins} and a.opened_at < ${ends}),
    late as (
      select count(*)::int as orders, coalesce(sum(o.paid_fen), 0)::bigint as fen
      from orders o join seen on seen.id = o.machine_id
      where o.is_offline and o.business_day between ${from}::date and ${to}::date
        and (o.received_at at time zone seen.time_zone)::date > o.business_day)
    select count(*)::int as machines, (count(*) filter (where is_connected is not true))::int as silent,
      case when count(*) filter (where is_connected is not true and last_seen_at is null) = 0
        then to_json(min(last_seen_at) filter (where is_connected is not true)) #>> '{}' end as "silentSince",
      (select count(distinct g.machine_id)::int from message_gap g join seen on seen.id = g.machine_id
        where g.ended_at is null) as "withGaps",
      to_json(max(last_seen_at)) #>> '{}' as "newestAt",
      floor(1000 * (1 - (select seconds from silence)
        / nullif(sum(greatest(0, extract(epoch from ${ends} - since))), 0)))::int as "heardPermille",
      (select orders from late) as "lateOrders", (select fen from late) as "lateFen",
      (select count(*)::int from generate_series(${from}::date, least(${to}::date, ${today}::date - 1), '1 day') as d
        where not exists (select from ledger_day where day = d::date)) as "openDays",
      ${days}::int as days
    from seen`.execute(db)
  const [row] = found.rows
  if (!row) throw new Error('a count always answers')
  const { before } = period
  return { ...row, from, to, beforeFrom: before.from, beforeTo: before.to, isOpen: to >= today }
}
