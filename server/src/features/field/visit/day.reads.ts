import { type FieldDay, type FieldProduct, type FieldStop, type getFieldDay } from '@aisle/contract/field/visit'
import { replenishmentState } from '@aisle/contract/field/replenishmentOrder'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { machineInSight, type Sight, sightOf } from '../../../kernel/scope'
import { carriedBy } from '../../stock/public'
import { reviewsOf } from './visit.reads'

/** One person drives no more of them on a day. */
const MOST_ORDERS = 5
const MOST_STOPS = 200
const MOST_BATCHES = 30
/** Released and after, until it is done: a draft may still change. */
const TODAY = replenishmentState.states.filter(
  (state) => replenishmentState.is(state, 'open') && state !== replenishmentState.initial,
)

/** All that the caller needs to drive their own tours of the day, without asking again. */
export async function fieldDay(ctx: QueryContext): Promise<OutputOf<typeof getFieldDay>> {
  const { userId, account, displayName } = ctx.actor
  const orders = await ordersOf(ctx.db, userId)
  const ids = orders.map(({ id }) => id)
  const stops = await stopsOf(ctx.db, sightOf(ctx.actor), ids)
  const carried = await carriedBy(ctx.db, userId)
  const bag = carried.map(({ productId, batch, expiresOn, quantity }) => ({ productId, batch, expiresOn, quantity }))
  const known = [
    ...bag,
    ...orders.flatMap(({ picks }) => picks),
    ...stops.flatMap(({ lines, slots }) => [...lines, ...slots]),
  ]
  const held = stops.flatMap(({ slots }) => slots.map(({ heldId }) => heldId))
  const productIds = [...new Set([...known.map(({ productId }) => productId), ...held])].filter((id) => id !== null)
  return {
    at: ctx.now().toISOString(),
    account,
    displayName,
    orders,
    stops,
    products: await productsOf(ctx.db, productIds),
    bag,
    reviews: await reviewsOf(ctx, sql`t.order_id = any(${ids}::bigint[])`),
  }
}

async function ordersOf(db: Reader, userId: number): Promise<FieldDay['orders']> {
  const found = await sql<FieldDay['orders'][number]>`
    select o.id, o.no, o.state, w.name as "warehouseName", r.name as "routeName", o.note, coalesce((
      select json_agg(json_build_object('productId', k.product_id, 'batch', k.batch, 'quantity', k.quantity)
        order by p.name, b.expires_on, k.batch)
      from outbound_pick k join product p on p.id = k.product_id
      left join medicine_batch b on b.product_id = k.product_id and b.number = k.batch
      where k.outbound_id = o.outbound_id), '[]') as picks
    from replenishment_order o join warehouse w on w.id = o.warehouse_id left join route r on r.id = o.route_id
    where o.user_id = ${userId} and o.state = any(${TODAY}::text[])
    order by o.started_at nulls last, o.id limit ${sql.lit(MOST_ORDERS)}`.execute(db)
  return found.rows
}

type StopRow = Omit<FieldStop, 'lines' | 'slots'>
type LineRow = FieldStop['lines'][number] & { orderId: number; machineId: number }
type SlotRow = FieldStop['slots'][number] & { machineId: number }

async function stopsOf(db: Reader, sight: Sight, orderIds: readonly number[]): Promise<FieldStop[]> {
  const given = sql`any(${[...orderIds]}::bigint[])`
  const stops = await sql<StopRow>`
    select t.order_id as "orderId", m.id as "machineId", m.code as "machineCode", m.name as "machineName",
      p.name as "pointName", concat_ws(' ', p.city, p.address) as address, v.state,
      (select coalesce(sum(l.stake_fen), 0)::bigint from replenishment_line l
        where l.order_id = t.order_id and l.machine_id = m.id) as "stakeFen"
    from replenishment_stop t join machine m on m.id = t.machine_id join point p on p.id = m.point_id
    left join visit v on v.order_id = t.order_id and v.machine_id = m.id
    where t.order_id = ${given} and ${machineInSight(sight, sql`m.id`)}
    order by array_position(${[...orderIds]}::bigint[], t.order_id), t.position
    limit ${sql.lit(MOST_STOPS)}`.execute(db)
  const machineIds = [...new Set(stops.rows.map(({ machineId }) => machineId))]
  const lines = await sql<LineRow>`
    select l.order_id as "orderId", l.machine_id as "machineId", s.code as "slotCode", l.product_id as "productId",
      l.bring, l.take_out as "takeOut", l.reason
    from replenishment_line l join slot s on s.id = l.slot_id
    where l.order_id = ${given} and l.machine_id = any(${machineIds}::bigint[])
    order by s.layer, s.position`.execute(db)
  const slots = await sql<SlotRow>`
    select m.id as "machineId", s.code, s.layer, s.position, coalesce(s.next_capacity, s.capacity) as capacity,
      coalesce(s.next_product_id, s.product_id) as "productId",
      case when s.next_product_id <> s.product_id then s.product_id end as "heldId",
      case when s.next_product_id is null then s.price_fen else s.next_price_fen end as "priceFen",
      s.is_locked as "isLocked"
    from machine m join slot s on s.machine_id = m.id where m.id = any(${machineIds}::bigint[])
    order by s.layer, s.position`.execute(db)
  return stops.rows.map((stop) => ({
    ...stop,
    lines: lines.rows
      .filter(({ orderId, machineId }) => orderId === stop.orderId && machineId === stop.machineId)
      .map(({ orderId: _, machineId: __, ...line }) => line),
    slots: slots.rows.filter(({ machineId }) => machineId === stop.machineId).map(({ machineId: _, ...slot }) => slot),
  }))
}

async function productsOf(db: Reader, ids: readonly number[]): Promise<FieldProduct[]> {
  const found = await sql<FieldProduct>`
    select p.id, p.code, p.name, p.specification, p.picture, p.kind = 'medicine' as "isMedicine",
      coalesce((select json_agg(b.code order by b.code) from product_barcode b where b.product_id = p.id), '[]')
        as barcodes,
      coalesce((select json_agg(json_build_object('batch', b.number, 'expiresOn', b.expires_on, 'state', b.state)
          order by b.expires_on, b.number)
        from (select number, expires_on, state from medicine_batch where product_id = p.id
          order by expires_on desc limit ${sql.lit(MOST_BATCHES)}) b), '[]') as batches
    from product p where p.id = any(${[...ids]}::bigint[]) order by p.name, p.id`.execute(db)
  return found.rows
}
