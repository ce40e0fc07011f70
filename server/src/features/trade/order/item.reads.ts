import type { InputOf } from '@aisle/contract/kernel/endpoint'
import {
  indexOf,
  ITEMS_OF_ORDER,
  type listShippedItems,
  type listShipResults,
  type listSoldItems,
  type OrderItem,
  orderIdOf,
} from '@aisle/contract/trade/item'
import { itemState } from '@aisle/contract/trade/states'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { readCursor, writeCursor } from '../../../kernel/cursor'
import { type Count, countIn, type Listing, upTo } from '../../../kernel/list'
import type { Sight } from '../../../kernel/scope'
import { filterOf, isOrderKey, type OrderKey } from './order.reads'
import { daysOf, itemsWithOrder, ordersWithItems, type OrderAccessPath, orderAccessPath } from './order.accessPath'
import { statesIn } from '../../../kernel/states'

type Sold = InputOf<typeof listSoldItems>
type Results = InputOf<typeof listShipResults>
type Shipped = InputOf<typeof listShippedItems>
type Asked = Omit<Sold & Results & Shipped, 'sort'>
type Sums = { priceFen: number }

/** What did not come out, as the index of failures knows it. */
const BAD = sql`i.state in ${statesIn(itemState, 'bad')}`

/** Whoever lost has paid a stake, and no piece was sold. */
const SOLD = sql`o.paid_at is not null and not (o.ship_state = 'lottery_lost' and i.state = 'waiting')`

export const soldItems = (db: Reader, sight: Sight, filter: Sold): Promise<Listing<OrderItem, Sums>> =>
  find(db, sight, filter, SOLD)

export const shipResults = (db: Reader, sight: Sight, filter: Results): Promise<Listing<OrderItem>> =>
  findWithoutSums(db, sight, filter, sql`o.paid_at is not null and i.state <> 'waiting'`)

export const shippedItems = (db: Reader, sight: Sight, filter: Shipped): Promise<Listing<OrderItem>> =>
  findWithoutSums(db, sight, filter, sql`i.state = 'dispensed'`)

async function findWithoutSums(...asked: Parameters<typeof find>): Promise<Listing<OrderItem>> {
  const { page, count } = await find(...asked)
  return { page, count: async (db, most) => ({ total: (await count(db, most)).total }) }
}

/** By key, in the order of the orders' own index. */
async function find(
  db: Reader,
  sight: Sight,
  filter: Asked,
  kind: RawBuilder<unknown>,
): Promise<Listing<OrderItem, Sums>> {
  const lookup = await lookupOf(db, sight, filter, kind)
  return {
    page: async (reader, { cursor, pageSize }) => {
      const rows = await pageOf(reader, lookup, readCursor(cursor, isOrderKey), pageSize + 1)
      const items = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? items.at(-1) : undefined
      return { items, nextCursor: last ? writeCursor({ at: last.occurredAt, id: last.id }) : null }
    },
    count: (reader, most) => countOf(reader, lookup, most),
  }
}

/** `where` says nothing of what the path says; `byItem`: items lead to their orders, else orders to their items. */
type Lookup = { path: OrderAccessPath; where: RawBuilder<unknown>; byItem: boolean }

async function lookupOf(db: Reader, sight: Sight, filter: Partial<Asked>, kind: RawBuilder<unknown>): Promise<Lookup> {
  const { machineCode, merchantId, pointId, productCode, batch, method, businessType, orderNo, from, to } = filter
  const ofOrder = { method, businessType, orderNo, from, to }
  const path = await orderAccessPath(db, sight, { ...ofOrder, machineCode, merchantId, pointId, productCode, batch })
  const byItem = path.by === 'items' || (path.by === 'time' && hasOwnIndex(filter))
  const days = byItem ? daysOf({ from, to }, 'i') : sql`true`
  return { path, byItem, where: sql`${filterOf(ofOrder)} and ${days} and ${ofItem(filter)} and ${kind}` }
}

/** Few items are like that, and an index holds just them. */
const hasOwnIndex = ({ itemState, batch, traceCode }: Partial<Asked>): boolean =>
  Boolean(batch ?? traceCode) || !['dispensed', 'waiting'].includes(itemState ?? 'waiting')

function ofItem({
  productCode,
  itemState: asked,
  motorCode,
  sensorCode,
  batch,
  traceCode,
}: Partial<Asked>): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (productCode) parts.push(sql`i.product_id = any(array(select id from product where code = ${productCode}))`)
  if (asked) parts.push(asked === 'bad' ? BAD : sql`i.state = ${asked}`)
  // Only what is on its way waits: the index of unusual states leads to it.
  if (asked === 'waiting') parts.push(sql`o.ship_state <> 'completed'`)
  if (motorCode) parts.push(sql`i.motor_code = ${motorCode}`)
  if (sensorCode) parts.push(sql`i.sensor_code = ${sensorCode}`)
  if (batch) parts.push(sql`i.batch = ${batch}`)
  if (traceCode) parts.push(sql`i.trace_code = ${traceCode}`)
  return sql.join(parts, sql` and `)
}

async function pageOf(db: Reader, { path, where, byItem }: Lookup, after: OrderKey | null, limit: number) {
  // The order's own key, of whichever table leads, bounds the index; the item's tells those of one order apart.
  const [time, id] = byItem ? [sql`i.occurred_at`, sql`i.order_id`] : [sql`o.occurred_at`, sql`o.id`]
  const beyond = after
    ? sql`(${time}, ${id}) <= (${after.at}::timestamptz, ${orderIdOf(after.id)})
        and (${time}, ${id}, i.index) < (${after.at}::timestamptz, ${orderIdOf(after.id)}, ${indexOf(after.id)})`
    : sql`true`
  const probe = sql`select o.id * ${ITEMS_OF_ORDER} + i.index as id, o.id as order_id, o.order_no, o.occurred_at,
      o.machine_id, o.merchant_id, o.point_id, o.method, o.business_type, o.payment_state, o.third_party_no, i.index,
      i.slot_id, i.product_id, i.list_price_fen, i.price_fen, i.state, i.motor_code, i.sensor_code, i.duration_ms,
      i.attempts, i.batch, i.trace_code, i.shipped_at
    from ${byItem ? itemsWithOrder : ordersWithItems} where ${path.probe} and ${where} and ${beyond}
    order by ${time} desc, ${id} desc, i.index desc limit ${sql.lit(limit)}`
  const merged = sql`select k.* from unnest(${[...path.ids]}::bigint[]) as w(id) cross join lateral (${probe}) k
    order by k.occurred_at desc, k.order_id desc, k.index desc limit ${sql.lit(limit)}`
  const found = await sql<OrderItem>`
    with picked as materialized (
      ${path.by === 'time' ? probe : merged})
    select k.id, k.order_id as "orderId", k.order_no as "orderNo", to_json(k.occurred_at) #>> '{}' as "occurredAt",
      m.code as "machineCode", m.name as "machineName", c.name as "merchantName", coalesce(t.name, '') as "pointName",
      s.code as "slotCode", p.code as "productCode", p.name as "productName", k.method,
      k.business_type as "businessType", k.payment_state as "paymentState", k.third_party_no as "thirdPartyNo",
      k.list_price_fen as "listPriceFen", k.price_fen as "priceFen", k.state as "itemState",
      k.motor_code as "motorCode", k.sensor_code as "sensorCode", k.duration_ms as "durationMs", k.attempts, k.batch,
      k.trace_code as "traceCode", to_json(k.shipped_at) #>> '{}' as "shippedAt"
    from picked k join machine m on m.id = k.machine_id join merchant c on c.id = k.merchant_id
    join slot s on s.id = k.slot_id join product p on p.id = k.product_id left join point t on t.id = k.point_id
    order by k.occurred_at desc, k.order_id desc, k.index desc`.execute(db)
  return found.rows
}

async function countOf(db: Reader, { path, where, byItem }: Lookup, most: number): Promise<Count<Sums>> {
  const found = await sql<Sums & { count: number }>`
    select count(*) as count, coalesce(sum(price_fen), 0) as "priceFen" from (
      select i.price_fen from ${byItem ? itemsWithOrder : ordersWithItems}
      where ${path.where} and ${where} ${upTo(most)}) counted`.execute(db)
  return countIn(found.rows[0], most)
}
