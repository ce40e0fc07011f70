import * as contract from '@aisle/contract/fleet/route'
import { OFFLINE_AFTER_MS } from '@aisle/contract/fleet/states'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE, weekdayOf } from '../../../kernel/businessDay'
import type { CommandContext, QueryContext, Reader } from '../../../kernel/context'
import { kept } from '../../../kernel/kept'
import { allOf, holds, listRows, type Listing } from '../../../kernel/list'
import { refuse } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../../kernel/scope'
import { setOrder } from './route.stops'

type Detail = OutputOf<typeof contract.getRoute>

/** What is driven today comes first, and of that what lacks most. */
const need = sql`-(case when "isToday" then 1000000 else 0 end + least("emptySlots" * 10 + "lowSlots", 999999))`

const drives = kept(contract.route, {
  table: 'route',
  joins: (sight) => sql`
    left join app_user u on u.id = route.user_id
    left join (select m.route_id, count(*) as count, sum(s.empty_slots) as empty, sum(s.low_slots) as low
      from machine m join machine_state s on s.machine_id = m.id
      where m.route_id is not null and ${machineInSight(sight, sql`m.id`)} group by m.route_id) m
      on m.route_id = route.id`,
  facts: (_sight, now) => ({
    userName: sql`u.display_name`,
    isToday: sql`${todaysWeekday(now)}::int = any(route.weekdays)`,
    machineCount: sql`coalesce(m.count, 0)::int`,
    emptySlots: sql`coalesce(m.empty, 0)::int`,
    lowSlots: sql`coalesce(m.low, 0)::int`,
  }),
  shown: { weekdays: daysOf(sql`route.weekdays`) },
  columns: async (ctx, { userId, weekdays }, row) => {
    if (userId !== row.userId) await refuseUnknownUser(ctx, userId)
    return { weekdays: inOrder(weekdays).map((day) => contract.weekdays.indexOf(day) + 1) }
  },
  search: ['name', 'userName'],
  where: {
    weekday: (days) => sql`weekdays && ${days}::text[]`,
    userId: (id) => sql`id in (select r.id from route r where r.user_id = ${id})`,
  },
  orders: { need: { by: need, type: 'bigint' }, machines: { by: sql`-"machineCount"`, type: 'bigint' } },
  uses: (id) => sql`select code || ' ' || name as name from machine where route_id = ${id} order by route_order, code`,
})

export const routes: Route[] = [
  ...listOf(contract.listRoutes, drives.list),
  query(contract.getRoute, findDetail),
  ...listOf(contract.listFillers, fillers),
  command(contract.addRoute, drives.add),
  command(contract.editRoute, (ctx, input) => drives.edit(ctx, { ...input, weekdays: inOrder(input.weekdays) })),
  command(contract.setStops, (ctx, input) => setOrder(ctx, input, drives)),
  command(contract.removeRoute, drives.remove),
]

/** By the platform's clock: routes are driven by people, not by machines. */
const todaysWeekday = (now: Date): number => weekdayOf(businessTime(now, PLATFORM_TIME_ZONE).day)

/** ISO numbers as they are kept, by their names on the wire. */
export function daysOf(column: RawBuilder<unknown>): RawBuilder<Detail['weekdays']> {
  return sql`array(select (${[...contract.weekdays]}::text[])[d] from unnest(${column}) d order by d)`
}

async function findDetail(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await drives.get(ctx, { id })
  const stops = await stopsOf(ctx.db, sightOf(ctx.actor), id, ctx.now())
  const all = await ctx.db
    .selectFrom('machine')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('routeId', '=', id)
    .executeTakeFirstOrThrow()
  return { ...found, stops, hiddenCount: all.count - found.machineCount }
}

async function stopsOf(db: Reader, sight: Sight, id: number, now: Date): Promise<Detail['stops']> {
  const found = await sql<Detail['stops'][number]>`
    select m.id, m.code, m.name, p.name as "pointName", p.city, s.slot_count as "slotCount",
      s.empty_slots as "emptySlots", s.low_slots as "lowSlots", (
        select coalesce(sum(greatest(k.capacity - greatest(l.quantity, 0), 0)), 0)::int from slot k
        left join stock_level l on l.place_id = k.place_id and l.product_id = k.product_id
        where k.machine_id = m.id and k.product_id is not null) as missing,
      case when s.last_seen_at is null then 'unknown'
        when s.is_connected and s.last_seen_at > ${new Date(now.getTime() - OFFLINE_AFTER_MS)} then 'online'
        else 'offline' end as connection
    from machine m join machine_state s on s.machine_id = m.id join point p on p.id = m.point_id
    where m.route_id = ${id} and ${machineInSight(sight, sql`m.id`)}
    order by m.route_order, m.code limit 1000`.execute(db)
  return found.rows
}

type Filler = OutputOf<typeof contract.listFillers>['items'][number]

function fillers(ctx: QueryContext, filter: InputOf<typeof contract.listFillers>): Listing<Filler> {
  const rows = sql<Filler>`select u.id, u.display_name as name, u.account, c.name as "merchantName"
    from app_user u join merchant c on c.id = u.merchant_id
    where u.state = 'active' and u.kind <> 'doctor'
      and ${merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)}`
  const where = allOf([filter.q && sql`(${holds(sql`name`, filter.q)} or ${holds(sql`account`, filter.q)})`])
  return listRows({ rows, where, order: { by: sql`name`, type: 'text' } })
}

async function refuseUnknownUser(ctx: CommandContext, userId: number | null): Promise<void> {
  if (userId === null) return
  const found = await sql`select 1 from app_user u where u.id = ${userId} and u.state = 'active'
    and ${merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)}`.execute(ctx.tx)
  if (found.rows.length === 0) refuse('request.notFound')
}

/** As they follow each other in a week, each once. */
const inOrder = (days: readonly contract.Weekday[]): contract.Weekday[] =>
  contract.weekdays.filter((day) => days.includes(day))
