import { OFFLINE_AFTER_MS } from '@aisle/contract/fleet/states'
import {
  type getRoute,
  type listFillers,
  type listRoutes,
  type Route,
  type Stop,
  type Weekday,
  weekdays,
} from '@aisle/contract/fleet/route'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Reader, Tx } from '../../kernel/context'
import { allOf, holds, listRows, type Order, type Page } from '../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'

type Filter = InputOf<typeof listRoutes>

/** ISO day of the week, by the platform's clock: routes are driven by people, not by machines. */
export function weekdayOf(now: Date): number {
  return new Date(`${businessTime(now, PLATFORM_TIME_ZONE).day}T00:00:00Z`).getUTCDay() || 7
}

/** ISO numbers as they are kept, by their names on the wire. */
export const daysOf = (column: RawBuilder<unknown>): RawBuilder<Weekday[]> =>
  sql`array(select (${[...weekdays]}::text[])[d] from unnest(${column}) d order by d)`

const seen = (sight: Sight, now: Date): RawBuilder<unknown> => sql`
  select r.id, r.merchant_id as "merchantId", c.name as "merchantName", r.name, u.display_name as "userName",
    r.user_id, ${daysOf(sql`r.weekdays`)} as weekdays, ${weekdayOf(now)}::int = any(r.weekdays) as "isToday",
    coalesce(m.count, 0)::int as "machineCount", coalesce(m.empty, 0)::int as "emptySlots",
    coalesce(m.low, 0)::int as "lowSlots"
  from route r join merchant c on c.id = r.merchant_id left join app_user u on u.id = r.user_id
  left join (select m.route_id, count(*) as count, sum(s.empty_slots) as empty, sum(s.low_slots) as low
    from machine m join machine_state s on s.machine_id = m.id
    where m.route_id is not null and ${machineInSight(sight, sql`m.id`)} group by m.route_id) m on m.route_id = r.id
  where ${merchantInSight(sight, sql`r.merchant_id`)}`

/** What is driven today comes first, and of that what lacks most. */
const need = sql`-(case when "isToday" then 1000000 else 0 end + least("emptySlots" * 10 + "lowSlots", 999999))`

const orders: Record<Filter['sort'], Order> = {
  need: { by: need, type: 'bigint' },
  name: { by: sql`name`, type: 'text' },
  machines: { by: sql`-"machineCount"`, type: 'bigint' },
}

export function page(db: Reader, sight: Sight, filter: Filter, now: Date): Promise<Page<Route>> {
  const typed = filter.route ?? filter.q
  const where = allOf([
    typed && sql`(${holds(sql`name`, typed)} or ${holds(sql`"userName"`, typed)})`,
    filter.weekday && sql`${filter.weekday} = any(weekdays)`,
    filter.userId && sql`user_id = ${filter.userId}`,
    filter.merchantId &&
      sql`"merchantId" in (select id from merchant where path @> array[${filter.merchantId}]::bigint[])`,
  ])
  return listRows<Route>(db, { rows: seen(sight, now), where, order: orders[filter.sort] }, filter)
}

type Detail = OutputOf<typeof getRoute>

export async function findDetail(db: Reader, sight: Sight, id: number, now: Date): Promise<Detail | undefined> {
  const found = await sql<Omit<Detail, 'stops' | 'hiddenCount'> & { all: number }>`
    select seen.*, r.version, r.user_id as "userId", r.remark,
      (select count(*) from machine m where m.route_id = r.id)::int as "all"
    from (${seen(sight, now)}) seen join route r on r.id = seen.id where seen.id = ${id}`.execute(db)
  const [row] = found.rows
  if (!row) return undefined
  const { all, ...route } = row
  return { ...route, stops: await stopsOf(db, sight, id, now), hiddenCount: all - route.machineCount }
}

async function stopsOf(db: Reader, sight: Sight, id: number, now: Date): Promise<Stop[]> {
  const found = await sql<Stop>`
    select m.id, m.code, m.name, p.name as "pointName", p.city, s.slot_count as "slotCount",
      s.empty_slots as "emptySlots", s.low_slots as "lowSlots",
      case when s.last_seen_at is null then 'unknown'
        when s.is_connected and s.last_seen_at > ${new Date(now.getTime() - OFFLINE_AFTER_MS)} then 'online'
        else 'offline' end as connection
    from machine m join machine_state s on s.machine_id = m.id join point p on p.id = m.point_id
    where m.route_id = ${id} and ${machineInSight(sight, sql`m.id`)}
    order by m.route_order, m.code limit 1000`.execute(db)
  return found.rows
}

type Filler = OutputOf<typeof listFillers>['items'][number]

export function fillers(db: Reader, sight: Sight, filter: InputOf<typeof listFillers>): Promise<Page<Filler>> {
  const rows = sql`select u.id, u.display_name as name, u.account, c.name as "merchantName"
    from app_user u join merchant c on c.id = u.merchant_id
    where u.state = 'active' and u.kind <> 'doctor' and ${merchantInSight(sight, sql`u.merchant_id`)}`
  const where = allOf([filter.q && sql`(${holds(sql`name`, filter.q)} or ${holds(sql`account`, filter.q)})`])
  return listRows<Filler>(db, { rows, where, order: { by: sql`name`, type: 'text' } }, filter)
}

export type RouteRow = {
  id: number
  merchantId: number
  name: string
  userId: number | null
  weekdays: Weekday[]
  remark: string
  version: number
}

/** Held until the end of the transaction; nothing for one that is out of sight. */
export async function findForUpdate(tx: Tx, sight: Sight, id: number): Promise<RouteRow | undefined> {
  const found = await sql<RouteRow>`select r.id, r.merchant_id as "merchantId", r.name, r.user_id as "userId",
      ${daysOf(sql`r.weekdays`)} as weekdays, r.remark, r.version
    from route r where r.id = ${id} and ${merchantInSight(sight, sql`r.merchant_id`)} for update`.execute(tx)
  return found.rows[0]
}
