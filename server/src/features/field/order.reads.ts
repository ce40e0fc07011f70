import type * as contract from '@aisle/contract/field/replenishmentOrder'
import type { ReplenishmentLine, ReplenishmentOrder } from '@aisle/contract/field/replenishmentOrder'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows } from '../../kernel/list'
import { only } from '../../kernel/must'
import { existing } from '../../kernel/refuse'
import { merchantInSight, type Sight, sightOf, subtreeOf } from '../../kernel/scope'

/** What was put into slots of the stops of order `o` while it was under way. */
const fillsOf = sql`select v.quantity, v.product_id, v.from_place_id, s.id as slot_id, s.machine_id
  from replenishment_stop t join slot s on s.machine_id = t.machine_id
  join stock_move v on v.to_place_id = s.place_id and v.cause = 'fill'
    and v.moved_at >= o.started_at and v.moved_at <= coalesce(o.ended_at, 'infinity')
  where t.order_id = o.id`

const rowsInSight = (sight: Sight): RawBuilder<ReplenishmentOrder> => sql`
  select o.id, o.no, o.merchant_id as "merchantId", m.name as "merchantName", r.name as "routeName",
    w.name as "warehouseName", o.replenisher as "replenisherName", o.state,
    (select count(*)::int from replenishment_stop t where t.order_id = o.id) as machines,
    (select count(*)::int from replenishment_line l where l.order_id = o.id and l.bring > 0) as slots,
    (select coalesce(sum(l.bring), 0)::int from replenishment_line l where l.order_id = o.id) as planned,
    case when o.started_at is not null then
      (select coalesce(sum(f.quantity), 0)::int from (${fillsOf}) f) end as filled,
    (select coalesce(sum(l.stake_fen), 0)::bigint from replenishment_line l where l.order_id = o.id) as "stakeFen",
    o.cover_days as "coverDays", o.note, o.maker, to_json(o.made_at) #>> '{}' as "madeAt",
    to_json(o.started_at) #>> '{}' as "startedAt", o.ender, to_json(o.ended_at) #>> '{}' as "endedAt"
  from replenishment_order o join merchant m on m.id = o.merchant_id join warehouse w on w.id = o.warehouse_id
  left join route r on r.id = o.route_id
  where ${merchantInSight(sight, sql`o.merchant_id`)}`

/** Something that a phone has told of visits of the order waits for somebody. */
export const isUndecided = (orderId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from visit a join visit_step b on b.visit_id = a.id and b.answer <> 'applied'
  where a.order_id = ${orderId} and not exists (select from visit_decision d where d.step_id = b.id))`

export async function countUndecided(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from replenishment_order o
    where ${isUndecided(sql`o.id`)} and ${merchantInSight(sight, sql`o.merchant_id`)}`.execute(db)
  return only(found).count
}

export function listOrdersIn(
  ctx: QueryContext,
  { q, state, undecided, merchantId }: InputOf<typeof contract.listReplenishmentOrders>,
): Listing<ReplenishmentOrder> {
  const where = allOf([
    q &&
      sql`(${holds(sql`no`, q)} or ${holds(sql`"replenisherName"`, q)} or ${holds(sql`coalesce("routeName", '')`, q)})`,
    isAnyOf(sql`state`, state),
    undecided && isUndecided(sql`seen.id`),
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  return listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order })
}

type Detail = OutputOf<typeof contract.getReplenishmentOrder>
type OutboundRow = NonNullable<Detail['outbound']>
type Head = Omit<Detail, 'stops' | 'outbound'> & {
  outboundId: number | null
  outboundNo: string | null
  outboundState: OutboundRow['state'] | null
}

export async function findOrder(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await sql<Head>`
    select seen.*, o.version, o.end_reason as "endReason", b.id as "outboundId", b.no as "outboundNo",
      b.state as "outboundState"
    from (${rowsInSight(sightOf(ctx.actor))}) seen join replenishment_order o on o.id = seen.id
    left join outbound_order b on b.id = o.outbound_id where seen.id = ${id}`.execute(ctx.db)
  const { outboundId, outboundNo, outboundState, ...head } = existing(found.rows[0])
  const outbound =
    outboundId !== null && outboundNo !== null && outboundState !== null
      ? { id: outboundId, no: outboundNo, state: outboundState }
      : null
  return { ...head, outbound, stops: await stopsOf(ctx.db, id) }
}

type StopRow = Omit<Detail['stops'][number], 'lines'>
type LineRow = Omit<ReplenishmentLine, 'perDay' | 'lastsDays'> & { machineId: number; perHundredDays: number }

async function stopsOf(db: Reader, id: number): Promise<Detail['stops']> {
  const stops = await sql<StopRow>`
    select m.id as "machineId", m.code as "machineCode", m.name as "machineName", p.name as "pointName",
      (select coalesce(sum(f.quantity), 0)::int from (${fillsOf}) f where f.machine_id = m.id and not exists (
        select from replenishment_line l where l.order_id = o.id and l.slot_id = f.slot_id
          and l.product_id = f.product_id)) as unplanned
    from replenishment_order o join replenishment_stop t on t.order_id = o.id join machine m on m.id = t.machine_id
    join point p on p.id = m.point_id where o.id = ${id} order by t.position`.execute(db)
  const lines = await sql<LineRow>`
    select l.machine_id as "machineId", s.id as "slotId", s.code as "slotCode", p.id as "productId",
      p.code as "productCode", p.name as "productName", p.specification, l.there, l.capacity, l.take_out as "takeOut",
      l.bring, l.reason, l.per_hundred_days as "perHundredDays", l.stake_fen as "stakeFen",
      coalesce(f.filled, 0) as filled, coalesce(f.from_bag, 0) as "fromBag"
    from replenishment_order o join replenishment_line l on l.order_id = o.id join slot s on s.id = l.slot_id
    join product p on p.id = l.product_id
    left join lateral (
      select sum(v.quantity)::int as filled,
        coalesce(sum(v.quantity) filter (where c.kind = 'replenisher'), 0)::int as from_bag
      from stock_move v join place c on c.id = v.from_place_id
      where v.to_place_id = s.place_id and v.product_id = l.product_id and v.cause = 'fill'
        and v.moved_at >= o.started_at and v.moved_at <= coalesce(o.ended_at, 'infinity')) f on true
    where o.id = ${id} order by l.machine_id, s.layer, s.position`.execute(db)
  return stops.rows.map((stop) => ({
    ...stop,
    lines: lines.rows.filter(({ machineId }) => machineId === stop.machineId).map(lineOf),
  }))
}

function lineOf({ machineId: _machine, perHundredDays, ...line }: LineRow): ReplenishmentLine {
  const perDay = perHundredDays / 100
  const good = Math.max(0, line.there - line.takeOut)
  return { ...line, perDay, lastsDays: perDay > 0 ? Math.round((good / perDay) * 10) / 10 : null }
}
