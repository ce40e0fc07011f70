import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type {
  listWarehouseMoves,
  listWarehouseStock,
  Lying,
  summariseWarehouses,
  WarehouseMove,
} from '@aisle/contract/stock/warehouse'
import { sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, summed } from '../../kernel/list'
import { only } from '../../kernel/must'
import { merchantInSight, sightOf, subtreeOf } from '../../kernel/scope'

type Sums = { quantity: number; valueFen: number }

/**
 * By batch where the books tell batches apart, and what is left of the product without. Ids of the two kinds of row are
 * even and odd.
 */
export function listStockIn(
  ctx: QueryContext,
  { q, warehouseId, productId, merchantId }: InputOf<typeof listWarehouseStock>,
): Listing<Lying, Sums> {
  const rows = sql<Lying>`
    select l.id, w.id as "warehouseId", w.name as "warehouseName", w.merchant_id as "merchantId",
      m.name as "merchantName", p.id as "productId", p.code as "productCode", p.name as "productName",
      p.specification, l.batch, to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", l.quantity,
      round(v.value_fen::numeric * l.quantity / v.pieces)::bigint as "valueFen"
    from stock_value v join warehouse w on w.place_id = v.place_id join merchant m on m.id = w.merchant_id
    join product p on p.id = v.product_id
    cross join lateral (
      select b.id * 2 as id, b.batch, b.quantity from batch_level b
      where b.place_id = v.place_id and b.product_id = v.product_id and b.quantity > 0
      union all
      select v.id * 2 + 1, '', v.pieces - coalesce(sum(b.quantity), 0)::int from batch_level b
      where b.place_id = v.place_id and b.product_id = v.product_id and b.quantity > 0
      having v.pieces > coalesce(sum(b.quantity), 0)) l
    left join medicine_batch b on b.product_id = v.product_id and b.number = l.batch
    where v.pieces > 0 and ${merchantInSight(sightOf(ctx.actor), sql`w.merchant_id`)}`
  const where = allOf([
    q && sql`(${holds(sql`"productName"`, q)} or ${holds(sql`"productCode"`, q)} or ${holds(sql`batch`, q)})`,
    warehouseId && sql`"warehouseId" = ${warehouseId}`,
    productId && sql`"productId" = ${productId}`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  return listRows({
    rows,
    where,
    order: { by: sql`"productName"`, type: 'text' },
    sums: summed('quantity', 'valueFen'),
  })
}

export function listMovesIn(
  ctx: QueryContext,
  { q, warehouseId, productId, cause, merchantId }: InputOf<typeof listWarehouseMoves>,
): Listing<WarehouseMove, { quantity: number; costFen: number }> {
  const rows = sql<WarehouseMove & { warehouseId: number; productId: number }>`
    select c.id, to_json(c.moved_at) #>> '{}' as "movedAt", w.id as "warehouseId", w.name as "warehouseName",
      coalesce(k.code || ' ' || s.code, nullif(o.name, ''), (
        select f.name from transfer t
        join warehouse f on f.id = case when t.from_id = w.id then t.to_id else t.from_id end
        where c.cause = 'transfer' and t.merchant_id = w.merchant_id and t.no = c.reference)) as "otherName",
      w.merchant_id as "merchantId", c.product_id as "productId", p.code as "productCode", p.name as "productName",
      c.batch, c.cause, c.quantity, c.cost_fen as "costFen", c.reference, u.display_name as by
    from stock_cost c join warehouse w on w.place_id = c.place_id join product p on p.id = c.product_id
    left join place o on o.id = c.other_place_id left join slot s on s.place_id = c.other_place_id
    left join machine k on k.id = s.machine_id left join app_user u on u.id = c.user_id
    where ${merchantInSight(sightOf(ctx.actor), sql`w.merchant_id`)}`
  const where = allOf([
    q && sql`(${holds(sql`"productName"`, q)} or "productCode" = ${q} or batch = ${q} or ${holds(sql`reference`, q)})`,
    warehouseId && sql`"warehouseId" = ${warehouseId}`,
    productId && sql`"productId" = ${productId}`,
    isAnyOf(sql`cause`, cause),
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  return listRows({ rows, where, order, sums: summed('quantity', 'costFen') })
}

export async function summarise(ctx: QueryContext): Promise<OutputOf<typeof summariseWarehouses>> {
  const sight = sightOf(ctx.actor)
  const found = await sql<OutputOf<typeof summariseWarehouses>>`
    select
      (select coalesce(sum(v.value_fen), 0)::bigint from stock_value v join warehouse w on w.place_id = v.place_id
        where ${merchantInSight(sight, sql`w.merchant_id`)}) as "valueFen",
      (select coalesce(sum(v.value_fen), 0)::bigint from stock_value v
        join place p on p.id = v.place_id and p.kind = 'transit'
        where ${merchantInSight(sight, sql`p.merchant_id`)}) as "onWayFen",
      (select count(*)::int from warehouse w where ${merchantInSight(sight, sql`w.merchant_id`)}
        and (select r.is_excursion from warehouse_reading r where r.warehouse_id = w.id order by r.id desc limit 1)
      ) as excursions`.execute(ctx.db)
  return only(found)
}
