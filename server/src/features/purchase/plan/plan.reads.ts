import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type * as contract from '@aisle/contract/purchase/plan'
import type { PurchasePlan, PurchasePlanLine } from '@aisle/contract/purchase/plan'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order, summed } from '../../../kernel/list'
import { existing } from '../../../kernel/refuse'
import { machineInSight, merchantInSight, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { optionsFor } from './plan.store'

const verdict = sql`case when l.hindrance is not null then 'hindered' when l.packs > 0 then 'order'
  when l.short > 0 then 'leftOut' else 'enough' end`
const amount = sql`coalesce(l.packs * l.price_fen, 0)`

const plansInSight = (sight: Sight): RawBuilder<PurchasePlan> => sql`
  select p.id, p.no, p.merchant_id as "merchantId", m.name as "merchantName", w.name as "warehouseName", p.state,
    to_char(p.from_on, 'YYYY-MM-DD') as "fromOn", p.horizon_days as "horizonDays", p.cover_days as "coverDays",
    p.has_medicine as "hasMedicine", p.machines, p.slots, l."lineCount", l."toOrder", l.hindered, l.changed,
    l."amountFen", l.orders, to_char(p.measured_to, 'YYYY-MM-DD') as "measuredTo",
    p.error_permille as "errorPermille", p.bias_permille as "biasPermille", p.note, p.maker,
    to_json(p.made_at) #>> '{}' as "madeAt", p.ender, to_json(p.ended_at) #>> '{}' as "endedAt",
    p.end_reason as "endReason"
  from purchase_plan p join merchant m on m.id = p.merchant_id join warehouse w on w.id = p.warehouse_id
  cross join lateral (
    select count(*)::int as "lineCount", count(*) filter (where l.packs > 0)::int as "toOrder",
      count(*) filter (where l.hindrance is not null)::int as hindered, count(l.changed_at)::int as changed,
      coalesce(sum(${amount}), 0)::bigint as "amountFen", count(distinct l.order_id)::int as orders
    from purchase_plan_line l where l.plan_id = p.id) l
  where ${merchantInSight(sight, sql`p.merchant_id`)}`

export function listPlansIn(
  ctx: QueryContext,
  { q, state, merchantId }: InputOf<typeof contract.listPurchasePlans>,
): Listing<PurchasePlan> {
  const where = allOf([
    q && sql`(${holds(sql`no`, q)} or ${holds(sql`"warehouseName"`, q)} or ${holds(sql`note`, q)})`,
    isAnyOf(sql`state`, state),
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  return listRows({ rows: plansInSight(sightOf(ctx.actor)), where, order })
}

type Detail = OutputOf<typeof contract.getPurchasePlan>

export async function findPlan(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await sql<PurchasePlan>`select * from (${plansInSight(sightOf(ctx.actor))}) seen
    where id = ${id}`.execute(ctx.db)
  const plan = existing(found.rows[0])
  const suppliers = await sql<Detail['suppliers'][number]>`
    select s.id as "supplierId", s.name as "supplierName", count(*)::int as lines, sum(l.packs)::int as packs,
      sum(${amount})::bigint as "amountFen"
    from purchase_plan_line l join supplier_product c on c.id = l.supplier_product_id
    join supplier s on s.id = c.supplier_id
    where l.plan_id = ${id} and l.packs > 0 group by s.id order by 5 desc, s.id`.execute(ctx.db)
  const hindrances = await sql<Detail['hindrances'][number]>`
    select hindrance, count(*)::int as lines from purchase_plan_line
    where plan_id = ${id} and hindrance is not null group by 1 order by 2 desc, 1`.execute(ctx.db)
  const madeOrders = await sql<Detail['madeOrders'][number]>`
    select o.id, o.no, s.name as "supplierName" from purchase_order o join supplier s on s.id = o.supplier_id
    where o.id in (select order_id from purchase_plan_line where plan_id = ${id}) order by o.id`.execute(ctx.db)
  return { ...plan, suppliers: suppliers.rows, hindrances: hindrances.rows, madeOrders: madeOrders.rows }
}

const tenth = (column: string) => sql`round(${sql.ref(column)}::numeric, 1)::float8`

const linesInSight = (sight: Sight): RawBuilder<PurchasePlanLine> => sql`
  select l.id, p.id as "planId", p.no as "planNo", p.state as "planState", p.merchant_id as "merchantId",
    m.name as "merchantName", g.id as "productId", g.code as "productCode", g.name as "productName", g.specification,
    g.kind = 'medicine' as "isMedicine", ${verdict} as verdict, l.hindrance, l.need_days as "needDays",
    ${tenth('l.forecast')} as forecast, l.safety, l.slot_target as "slotTarget", l.in_slots as "inSlots",
    l.in_store as "inStore", l.in_bags as "inBags", l.coming, l.unusable,
    round(((l.in_slots + l.in_store + l.in_bags + l.coming - l.unusable) * l.need_days
      / nullif(l.forecast, 0))::numeric, 1)::float8 as "lastsDays",
    l.supplier_product_id as "supplierProductId", s.id as "supplierId", s.name as "supplierName",
    l.pack_units as "packUnits", c.minimum_packs as "minimumPacks", l.proposed_packs as "proposedPacks", l.packs,
    l.packs * coalesce(l.pack_units, 0) as pieces, l.price_fen as "priceFen", ${amount}::bigint as "amountFen",
    l.changer, to_json(l.changed_at) #>> '{}' as "changedAt", o.id as "orderId", o.no as "orderNo", l.sold,
    ${tenth('l.forecast_then')} as "forecastThen", l.stocked_permille as "stockedPermille"
  from purchase_plan_line l join purchase_plan p on p.id = l.plan_id join merchant m on m.id = p.merchant_id
  join product g on g.id = l.product_id left join supplier_product c on c.id = l.supplier_product_id
  left join supplier s on s.id = c.supplier_id left join purchase_order o on o.id = l.order_id
  where ${merchantInSight(sight, sql`p.merchant_id`)}`

const orders: Record<'newest' | 'soonest' | 'dearest', Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  soonest: { by: sql`coalesce(("lastsDays" * 10)::bigint, 1000000000)`, type: 'bigint' },
  dearest: { by: sql`-"amountFen"`, type: 'bigint' },
}

export function listLinesIn(
  ctx: QueryContext,
  asked: InputOf<typeof contract.listPurchasePlanLines>,
): Listing<PurchasePlanLine, { amountFen: number }> {
  const { q, planNo, verdict: wanted, changed, supplierId, merchantId, sort } = asked
  const where = allOf([
    q && sql`(${holds(sql`"productName"`, q)} or ${holds(sql`"productCode"`, q)})`,
    planNo && sql`"planNo" = ${planNo}`,
    isAnyOf(sql`verdict`, wanted),
    changed && sql`"changedAt" is not null`,
    supplierId && sql`"supplierId" = ${supplierId}`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const rows = linesInSight(sightOf(ctx.actor))
  return listRows<PurchasePlanLine, { amountFen: number }>({
    rows,
    where,
    order: orders[sort],
    sums: summed('amountFen'),
  })
}

type LineDetail = OutputOf<typeof contract.getPurchasePlanLine>
type More = Pick<LineDetail, 'version' | 'machines' | 'slots' | 'weekday'> & { warehouseId: number }

export async function findPlanLine(ctx: QueryContext, { id }: { id: number }): Promise<LineDetail> {
  const sight = sightOf(ctx.actor)
  const found = await sql<PurchasePlanLine & More>`
    select seen.*, l.version, l.machines, l.slots, array(select round(w::numeric, 1)::float8
      from unnest(l.weekday) with ordinality as w (w, at) order by at) as weekday, p.warehouse_id as "warehouseId"
    from (${linesInSight(sight)}) seen join purchase_plan_line l on l.id = seen.id
    join purchase_plan p on p.id = l.plan_id where seen.id = ${id}`.execute(ctx.db)
  const { warehouseId, ...line } = existing(found.rows[0])
  const behind = await sql<LineDetail['behind'][number]>`
    select m.id as "machineId", m.code as "machineCode", m.name as "machineName", b.slots,
      round(b.per_day::numeric, 2)::float8 as "perDay", ${tenth('b.forecast')} as forecast, b.there,
      b.slot_target as "slotTarget"
    from purchase_plan_machine b join machine m on m.id = b.machine_id
    where b.line_id = ${id} and ${machineInSight(sight, sql`m.id`)}
    order by b.forecast + b.slot_target - b.there desc, m.id`.execute(ctx.db)
  const offered =
    (await optionsFor(ctx.db, { warehouseId, now: ctx.now() }, [line.productId])).get(line.productId) ?? []
  const names = await sql<{ id: number; name: string }>`select id, name from supplier
    where id = any(${offered.map(({ supplierId }) => supplierId)}::bigint[])`.execute(ctx.db)
  const nameOf = new Map(names.rows.map((each) => [each.id, each.name]))
  const options = offered.map(
    ({ supplierProductId, supplierId, packUnits, minimumPacks, leadDays, packFen, hindrance }) => ({
      supplierProductId,
      supplierName: nameOf.get(supplierId) ?? '',
      packUnits,
      minimumPacks,
      leadDays,
      packFen,
      hindrance,
    }),
  )
  return { ...line, behind: behind.rows, options }
}
