import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type * as contract from '@aisle/contract/stock/outbound'
import { type Carried, outboundState, type OutboundOrder } from '@aisle/contract/stock/outbound'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, summed } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { existing } from '../../../kernel/refuse'
import { merchantInSight, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { stateTo } from '../../../kernel/states'
import { mayLeave, pickByExpiry } from './outbound.rules'
import { leavingDay, lyingAt } from './outbound.store'

const carrier = sql`coalesce(u.display_name, bp.name)`

const rowsInSight = (sight: Sight): RawBuilder<OutboundOrder> => sql`
  select o.id, o.no, o.merchant_id as "merchantId", m.name as "merchantName", w.name as "warehouseName",
    ${carrier} as "replenisherName", o.state, l.count as "lineCount", l.pieces as wanted,
    (select coalesce(sum(k.quantity), 0)::int from outbound_pick k where k.outbound_id = o.id) as picked,
    (select coalesce(sum(r.quantity), 0)::int from outbound_return r where r.outbound_id = o.id) as returned,
    o.note, o.maker, to_json(o.made_at) #>> '{}' as "madeAt", o.picker, to_json(o.picked_at) #>> '{}' as "pickedAt",
    o.loader, to_json(o.loaded_at) #>> '{}' as "loadedAt", o.ender, to_json(o.ended_at) #>> '{}' as "endedAt"
  from outbound_order o join merchant m on m.id = o.merchant_id join warehouse w on w.id = o.warehouse_id
  join bag b on b.id = o.bag_id join place bp on bp.id = b.place_id left join app_user u on u.id = b.user_id
  cross join lateral (select count(*)::int as count, coalesce(sum(l.quantity), 0)::int as pieces
    from outbound_line l where l.outbound_id = o.id) l
  where ${merchantInSight(sight, sql`o.merchant_id`)}`

export function listOutboundsIn(
  ctx: QueryContext,
  { q, state, warehouseId, merchantId }: InputOf<typeof contract.listOutboundOrders>,
): Listing<OutboundOrder> {
  const where = allOf([
    q && sql`(${holds(sql`no`, q)} or ${holds(sql`"replenisherName"`, q)} or ${holds(sql`"warehouseName"`, q)})`,
    isAnyOf(sql`state`, state),
    warehouseId && sql`id in (select o.id from outbound_order o where o.warehouse_id = ${warehouseId})`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  return listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order })
}

const [draft, picked, loaded] = [
  sql.lit(outboundState.initial),
  stateTo(outboundState, 'pick'),
  stateTo(outboundState, 'load'),
]

export async function summarise(ctx: QueryContext): Promise<OutputOf<typeof contract.summariseOutboundOrders>> {
  const found = await sql<OutputOf<typeof contract.summariseOutboundOrders>>`
    select count(*) filter (where o.state = ${draft})::int as draft,
      count(*) filter (where o.state = ${picked})::int as picked,
      count(*) filter (where o.state = ${loaded})::int as loaded
    from outbound_order o where o.state in (${draft}, ${picked}, ${loaded})
      and ${merchantInSight(sightOf(ctx.actor), sql`o.merchant_id`)}`.execute(ctx.db)
  return only(found)
}

type Detail = OutputOf<typeof contract.getOutboundOrder>
type Head = Omit<Detail, 'lines' | 'picks' | 'lots' | 'inBag'>

export async function findOutbound(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await sql<Head & { bagPlaceId: number }>`
    select seen.*, o.version, o.warehouse_id as "warehouseId", b.user_id as "replenisherId",
      o.end_reason as "endReason", b.place_id as "bagPlaceId",
      (select coalesce(-sum(c.cost_fen), 0)::bigint from stock_cost c
        where c.place_id = w.place_id and c.reference = o.no and c.quantity < 0) as "valueFen"
    from (${rowsInSight(sightOf(ctx.actor))}) seen join outbound_order o on o.id = seen.id
    join warehouse w on w.id = o.warehouse_id join bag b on b.id = o.bag_id
    where seen.id = ${id}`.execute(ctx.db)
  const { bagPlaceId, ...head } = existing(found.rows[0])
  const lines = await linesOf(ctx.db, id)
  const inBag = await carriedIn(ctx.db, sql`v.place_id = ${bagPlaceId}`)
  if (outboundState.can(head.state, 'pick')) return { ...head, ...(await proposed(ctx, head, lines)), inBag }
  const picks = await pickedOf(ctx.db, id)
  return { ...head, lines: lines.map((line) => ({ ...line, free: null })), picks, lots: [], inBag }
}

type Line = Omit<Detail['lines'][number], 'free'>

/** What should be taken for a draft as things are now. */
async function proposed(ctx: QueryContext, { id, merchantId, warehouseId }: Head, lines: readonly Line[]) {
  const lying = await lyingAt(
    ctx.db,
    warehouseId,
    lines.map(({ productId }) => productId),
    id,
  )
  const day = await leavingDay(ctx.db, ctx.now(), merchantId)
  const lotsOf = (productId: number) => lying.filter((lot) => lot.productId === productId)
  const leaving = lying.filter((lot) => lot.free > 0 && mayLeave(lot, day))
  const freeOf = (productId: number) =>
    leaving.reduce((sum, lot) => sum + (lot.productId === productId ? lot.free : 0), 0)
  return {
    lots: leaving.map(({ productId, productCode, productName, specification, batch, expiresOn, free: quantity }) => {
      return { productId, productCode, productName, specification, batch, expiresOn, quantity }
    }),
    lines: lines.map((line) => ({ ...line, free: freeOf(line.productId) })),
    picks: lines.flatMap(({ productId, productCode, productName, specification, wanted }) =>
      pickByExpiry(lotsOf(productId), wanted, day).map(({ batch, quantity }) => ({
        productId,
        productCode,
        productName,
        specification,
        batch,
        expiresOn: lotsOf(productId).find((lot) => lot.batch === batch)?.expiresOn ?? null,
        quantity,
        returned: 0,
      })),
    ),
  }
}

async function linesOf(db: Reader, id: number): Promise<Line[]> {
  const found = await sql<Line>`
    select l.line, p.id as "productId", p.code as "productCode", p.name as "productName", p.specification,
      l.quantity as wanted, (select coalesce(sum(k.quantity), 0)::int from outbound_pick k
        where k.outbound_id = l.outbound_id and k.product_id = l.product_id) as picked
    from outbound_line l join product p on p.id = l.product_id where l.outbound_id = ${id} order by l.line`.execute(db)
  return found.rows
}

/** Also what came back without having been picked for this order: the replenisher had it from before. */
async function pickedOf(db: Reader, id: number): Promise<Detail['picks']> {
  const found = await sql<Detail['picks'][number]>`
    select p.id as "productId", p.code as "productCode", p.name as "productName", p.specification, x.batch,
      to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", coalesce(k.quantity, 0) as quantity,
      coalesce(r.quantity, 0) as returned
    from (select product_id, batch from outbound_pick where outbound_id = ${id}
      union select product_id, batch from outbound_return where outbound_id = ${id}) x
    join product p on p.id = x.product_id
    left join outbound_pick k on k.outbound_id = ${id} and k.product_id = x.product_id and k.batch = x.batch
    left join outbound_return r on r.outbound_id = ${id} and r.product_id = x.product_id and r.batch = x.batch
    left join medicine_batch b on b.product_id = x.product_id and b.number = x.batch
    left join outbound_line l on l.outbound_id = ${id} and l.product_id = x.product_id
    order by l.line, b.expires_on, x.batch`.execute(db)
  return found.rows
}

/** What bags hold, batch by batch where the books tell them apart, and what is left of the product without. */
const lotsOf = (placeIs: RawBuilder<unknown>) => sql`
  select v.place_id, v.product_id, x.id, x.batch, x.quantity,
    round(v.value_fen::numeric * x.quantity / v.pieces)::bigint as value_fen
  from stock_value v
  cross join lateral (
    select b.id * 2 as id, b.batch, b.quantity from batch_level b
    where b.place_id = v.place_id and b.product_id = v.product_id and b.quantity > 0
    union all
    select v.id * 2 + 1, '', v.pieces - coalesce(sum(b.quantity), 0)::int
    from batch_level b where b.place_id = v.place_id and b.product_id = v.product_id and b.quantity > 0
    having v.pieces > coalesce(sum(b.quantity), 0)) x
  where v.pieces > 0 and ${placeIs}`

/** What somebody carries, of whichever merchants. */
export const carriedBy = (db: Reader, userId: number): Promise<Detail['inBag']> =>
  carriedIn(db, sql`v.place_id in (select place_id from bag where user_id = ${userId})`)

async function carriedIn(db: Reader, placeIs: RawBuilder<unknown>): Promise<Detail['inBag']> {
  const found = await sql<Detail['inBag'][number]>`
    select p.id as "productId", p.code as "productCode", p.name as "productName", p.specification, x.batch,
      to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", x.quantity
    from (${lotsOf(placeIs)}) x join product p on p.id = x.product_id
    left join medicine_batch b on b.product_id = x.product_id and b.number = x.batch
    order by p.name, b.expires_on, x.batch limit 500`.execute(db)
  return found.rows
}

export function listCarriedIn(
  ctx: QueryContext,
  { q, merchantId }: InputOf<typeof contract.listCarriedGoods>,
): Listing<Carried, { quantity: number; valueFen: number }> {
  const rows = sql<Carried>`
    select x.id, ${carrier} as "replenisherName", g.merchant_id as "merchantId", m.name as "merchantName",
      p.id as "productId", p.code as "productCode", p.name as "productName", p.specification, x.batch,
      to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", x.quantity, x.value_fen as "valueFen"
    from bag g join place bp on bp.id = g.place_id join merchant m on m.id = g.merchant_id
    left join app_user u on u.id = g.user_id
    join (${lotsOf(sql`v.place_id in (select place_id from bag)`)}) x on x.place_id = g.place_id
    join product p on p.id = x.product_id
    left join medicine_batch b on b.product_id = x.product_id and b.number = x.batch
    where ${merchantInSight(sightOf(ctx.actor), sql`g.merchant_id`)}`
  const where = allOf([
    q && sql`(${holds(sql`"replenisherName"`, q)} or ${holds(sql`"productName"`, q)} or batch = ${q})`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const order = { by: sql`"replenisherName"`, type: 'text' as const }
  return listRows({ rows, where, order, sums: summed('quantity', 'valueFen') })
}

type Replenisher = OutputOf<typeof contract.listReplenishers>['items'][number]

export function listReplenishersIn(
  ctx: QueryContext,
  { q }: InputOf<typeof contract.listReplenishers>,
): Listing<Replenisher> {
  const sight = sightOf(ctx.actor)
  const rows = sql<Replenisher>`select u.id, u.display_name as name, u.account, c.name as "merchantName",
      (select coalesce(sum(l.quantity), 0)::int from bag g join stock_level l on l.place_id = g.place_id
        where g.user_id = u.id and ${merchantInSight(sight, sql`g.merchant_id`)}) as pieces
    from app_user u join merchant c on c.id = u.merchant_id
    where u.state = 'active' and u.kind <> 'doctor' and ${merchantInSight(sight, sql`u.merchant_id`)}`
  const where = allOf([q && sql`(${holds(sql`name`, q)} or ${holds(sql`account`, q)})`])
  return listRows({ rows, where, order: { by: sql`name`, type: 'text' } })
}
