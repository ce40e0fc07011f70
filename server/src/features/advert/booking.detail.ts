import type { Booking, BookingDetail } from '@aisle/contract/advert/booking'
import { type RawBuilder, sql } from 'kysely'
import { addDays } from '../../kernel/businessDay'
import type { QueryContext, Reader } from '../../kernel/context'
import { only } from '../../kernel/must'
import { existing } from '../../kernel/refuse'
import { machineInSight, type Sight, sightOf } from '../../kernel/scope'
import { bookingsInSight, hasFailed, isTaken } from './booking.reads'

const SHOWN_MACHINES = 200
const SHOWN_DAYS = 31

export async function detail(ctx: QueryContext, id: number): Promise<BookingDetail> {
  const { db } = ctx
  const sight = sightOf(ctx.actor)
  const found = await sql<Booking>`select * from (${bookingsInSight(ctx)}) seen where id = ${id}`.execute(db)
  const row = existing(found.rows[0])
  return {
    ...row,
    creatives: await findCreatives(db, id),
    targets: await findTargets(db, id),
    atMachines: await findMachines(db, sight, id),
    days: await findDays(db, sight, id, ctx.now()),
    dueFen: await findDue(db, sight, id),
  }
}

async function findCreatives(db: Reader, id: number): Promise<BookingDetail['creatives']> {
  const found = await sql<BookingDetail['creatives'][number]>`
    select c.id, c.name, c.state, c.advertised, c.preview, c.seconds from advert_booking b
    join creative c on c.id = any(b.creative_ids)
    where b.id = ${id} order by array_position(b.creative_ids, c.id)`.execute(db)
  return found.rows
}

const named = (table: string, column: string) => sql`coalesce((
  select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name)
  from ${sql.table(table)} x where x.id = any(${sql.ref(`b.${column}`)})), '[]')`

async function findTargets(db: Reader, id: number): Promise<BookingDetail['targets']> {
  const found = await sql<BookingDetail['targets']>`
    select ${named('machine', 'machine_ids')} as machines, ${named('machine_group', 'group_ids')} as groups,
      ${named('point', 'point_ids')} as points, ${named('merchant', 'merchant_ids')} as merchants
    from advert_booking b where b.id = ${id}`.execute(db)
  return only(found)
}

/** Those that it is about now, and those that played it before. */
async function findMachines(db: Reader, sight: Sight, id: number): Promise<BookingDetail['atMachines']> {
  const found = await sql<BookingDetail['atMachines'][number]>`
    with about as (
      select machine_id, why, true as is_now from advert_at_machine where booking_id = ${id}
      union all
      select distinct machine_id, null::text, false from advert_day d where booking_id = ${id} and not exists (
        select from advert_at_machine a where a.booking_id = ${id} and a.machine_id = d.machine_id))
    select m.code, m.name, p.name as "pointName", coalesce(l.version, 0) as wanted,
      case when l.version is null then null when ${isTaken} then l.version else l.reported_version end as reported,
      case when not a.is_now then null when a.why is not null then a.why when ${hasFailed} then 'failed'
        when not ${isTaken} then 'notTaken' end as problem,
      case when ${hasFailed} then c.detail end as detail,
      coalesce((select sum(d.plays) from advert_day d
        where d.booking_id = ${id} and d.machine_id = m.id), 0)::bigint as "provenPlays"
    from about a join machine m on m.id = a.machine_id join point p on p.id = m.point_id
    left join advert_list l on l.machine_id = m.id left join device_command c on c.id = l.command_id
    where ${machineInSight(sight, sql`a.machine_id`)}
    order by 6 nulls last, m.code limit ${sql.lit(SHOWN_MACHINES)}`.execute(db)
  return found.rows
}

async function findDays(db: Reader, sight: Sight, id: number, now: Date): Promise<BookingDetail['days']> {
  const since = addDays(now.toISOString().slice(0, 10), 1 - SHOWN_DAYS)
  const found = await sql<BookingDetail['days'][number]>`
    select to_char(d.business_day, 'YYYY-MM-DD') as day, sum(d.booked_plays)::bigint as booked,
      sum(d.plays)::bigint as proven
    from advert_day d where d.booking_id = ${id} and d.business_day >= ${since}::date
      and ${machineInSight(sight, sql`d.machine_id`)}
    group by d.business_day order by d.business_day`.execute(db)
  return found.rows
}

/** What each machine and day of a booking comes to, over all its creatives. */
export const machineDays = (which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select d.booking_id, d.machine_id, d.business_day, sum(d.booked_plays)::bigint as booked,
    sum(d.plays)::bigint as proven,
    bit_count(bit_or(d.offline_hours)::bit(24))::int as offline_hours
  from advert_day d where ${which} group by 1, 2, 3`

async function findDue(db: Reader, sight: Sight, id: number): Promise<number | null> {
  const found = await sql<{ fen: number | null }>`
    select case when exists (select from advert_day d where d.booking_id = b.id
        and not ${machineInSight(sight, sql`d.machine_id`)}) then null
      when b.price_kind = 'fixed' then b.price_fen
      else (select coalesce(sum(advert_due(b.price_kind, b.price_fen, t.booked, t.proven)), 0)
        from (${machineDays(sql`d.booking_id = b.id`)}) t)::bigint end as fen
    from advert_booking b where b.id = ${id}`.execute(db)
  return only(found).fen
}
