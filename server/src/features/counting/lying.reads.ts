import type { Lying, LyingList } from '@aisle/contract/counting/lying'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'
import { allOf, holds, type Listing, listRows, summed } from '../../kernel/list'
import { machineInSight, sightOf } from '../../kernel/scope'

type By = 'route' | 'machine' | 'hospital' | 'slot'
type Row = Lying & { groupId: number }

/** How the slots of each group are found from its key, so that a page reads no more groups than it shows. */
const groups: Record<By, { from: RawBuilder<unknown>; key: RawBuilder<unknown>; of: RawBuilder<unknown> }> = {
  route: { from: sql`route g`, key: sql`g.id`, of: sql`m.route_id = g.id` },
  machine: { from: sql`machine g`, key: sql`g.id`, of: sql`m.id = g.id` },
  hospital: { from: sql`hospital g`, key: sql`g.id`, of: sql`o.hospital_id = g.id` },
  slot: { from: sql`machine g`, key: sql`g.id`, of: sql`m.id = g.id` },
}

type Filter = InputOf<LyingList>

/** What lies in slots by the books, route by route, machine by machine, hospital by hospital, or slot by slot. */
export function lyingIn(
  ctx: QueryContext,
  by: By,
  filter: Filter,
): Listing<Lying, Pick<Lying, 'stock' | 'shortage' | 'valueFen'>> {
  const { q, product, empty, merchantId, machineCode, routeId, hospitalId } = filter
  const where = allOf([
    product && sql`("productCode" = ${product} or ${holds(sql`"productName"`, product)})`,
    q &&
      sql`(coalesce("machineCode", '') = ${q} or ${holds(sql`coalesce("routeName", '')`, q)}
      or ${holds(sql`coalesce("hospitalName", '')`, q)} or ${holds(sql`coalesce("pointName", '')`, q)})`,
    empty && sql`"emptySlots" > 0`,
  ])
  const of = allOf([
    machineCode && sql`m.code = ${machineCode}`,
    routeId && sql`m.route_id = ${routeId}`,
    hospitalId && sql`o.hospital_id = ${hospitalId}`,
    merchantId && sql`m.merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  const order = { by: sql`"groupId"`, type: 'bigint' as const }
  return listRows({ rows: rowsOf(ctx, by, of), where, order, sums: summed('stock', 'shortage', 'valueFen') })
}

/** Which of these a row of many slots has one of is said once, and else not at all. */
const one = (column: RawBuilder<unknown>) => sql`case when count(distinct ${column}) = 1 then min(${column}) end`

function rowsOf(ctx: QueryContext, by: By, filter: RawBuilder<unknown>): RawBuilder<Row> {
  const { from, key, of } = groups[by]
  const piece = by === 'slot' ? sql`s.id` : sql`s.product_id`
  return sql`
    select ${key} as "groupId", f.* from ${from} cross join lateral (
      select min(s.id) as id, ${one(sql`r.name`)} as "routeName", ${one(sql`h.name`)} as "hospitalName",
        ${one(sql`m.code`)} as "machineCode", ${one(sql`o.name`)} as "pointName", ${one(sql`s.code`)} as "slotCode",
        min(p.code) as "productCode", min(p.name) as "productName", min(e.name) as "merchantName",
        count(*)::int as slots, count(*) filter (where coalesce(l.quantity, 0) <= 0)::int as "emptySlots",
        coalesce(sum(l.quantity), 0)::int as stock, sum(s.capacity)::int as capacity,
        sum(greatest(0, s.capacity - greatest(0, coalesce(l.quantity, 0))))::int as shortage,
        (coalesce(sum(greatest(0, l.quantity)), 0) * coalesce(min(p.cost_fen), 0))::bigint as "valueFen",
        (array_agg(y.batch order by y.expires_on) filter (where y.batch is not null))[1] as batch,
        to_char(min(y.expires_on), 'YYYY-MM-DD') as "expiresOn", count(d.place_id)::int as doubted,
        to_json(max(c.counted_at)) #>> '{}' as "lastCountedAt"
      from machine m join point o on o.id = m.point_id join merchant e on e.id = m.merchant_id
      join slot s on s.machine_id = m.id join product p on p.id = s.product_id
      left join route r on r.id = m.route_id left join hospital h on h.id = o.hospital_id
      left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
      left join layer_doubt d on d.place_id = s.place_id and d.product_id = s.product_id
      left join stock_counted c on c.place_id = s.place_id and c.product_id = s.product_id
      left join lateral (
        select b.number as batch, b.expires_on from batch_level v
        join medicine_batch b on b.product_id = v.product_id and b.number = v.batch
        where v.place_id = s.place_id and v.product_id = s.product_id and v.quantity > 0
        order by b.expires_on limit 1
      ) y on p.kind = 'medicine'
      where ${of} and m.retired_at is null and ${filter} and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}
      group by ${piece}
    ) f`
}
