import type { ComingVisit, listComingVisits } from '@aisle/contract/field/coming'
import { replenishmentState } from '@aisle/contract/field/replenishmentOrder'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'
import { allOf } from '../../kernel/list'
import { dayAt } from '../../kernel/platformDays'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { statesIn } from '../../kernel/states'

const MOST = 20

export async function comingVisits(
  ctx: QueryContext,
  { machineId, routeId }: InputOf<typeof listComingVisits>,
): Promise<OutputOf<typeof listComingVisits>> {
  const sight = sightOf(ctx.actor)
  const where = allOf([
    machineId && sql`t.machine_id = ${machineId}`,
    routeId && sql`m.route_id = ${routeId}`,
    machineInSight(sight, sql`m.id`),
  ])
  const found = await sql<ComingVisit>`
    select o.id as "orderId", o.no, o.state, o.replenisher as "replenisherName", count(*)::int as machines,
      coalesce(sum(l.pieces), 0)::int as pieces, coalesce(sum(f.pieces), 0)::int as filled,
      to_json(o.started_at) #>> '{}' as "startedAt"
    from replenishment_order o join replenishment_stop t on t.order_id = o.id join machine m on m.id = t.machine_id
    left join lateral (select sum(l.bring) as pieces from replenishment_line l
      where l.order_id = o.id and l.machine_id = m.id) l on true
    left join lateral (select sum(v.quantity) as pieces from slot s join stock_move v on v.to_place_id = s.place_id
      where s.machine_id = m.id and v.cause = 'fill' and v.moved_at >= o.started_at) f on true
    where o.state in ${statesIn(replenishmentState, 'coming')}
      and ${merchantInSight(sight, sql`o.merchant_id`)} and ${where}
    group by o.id order by o.started_at nulls last, o.id limit ${sql.lit(MOST)}`.execute(ctx.db)
  const today = dayAt(ctx.now(), sql`c.time_zone`)
  const next = await sql<{ nextOn: string | null }>`
    select to_char(min(${today} + n), 'YYYY-MM-DD') as "nextOn"
    from route r join merchant c on c.id = r.merchant_id cross join generate_series(0, 6) n
    where (r.id = ${routeId ?? null} and ${merchantInSight(sight, sql`r.merchant_id`)}
        or r.id in (select m.route_id from machine m
          where m.id = ${machineId ?? null} and ${machineInSight(sight, sql`m.id`)}))
      and extract(isodow from ${today} + n)::int = any(r.weekdays)`.execute(ctx.db)
  return { items: found.rows, nextOn: next.rows[0]?.nextOn ?? null }
}
