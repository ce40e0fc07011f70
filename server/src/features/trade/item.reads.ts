import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  indexOf,
  ITEMS_OF_ORDER,
  type listShippedItems,
  type listShipResults,
  type listSoldItems,
  type OrderItem,
  orderIdOf,
} from '@aisle/contract/trade/item'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { readCursor, writeCursor } from '../../kernel/cursor'
import type { Sight } from '../../kernel/scope'
import { filterOf, isOrderKey, machineOfMany, machinesNamed, MOST_COUNTED, type OrderKey } from './order.reads'

type Sold = InputOf<typeof listSoldItems>
type Results = InputOf<typeof listShipResults>
type Shipped = InputOf<typeof listShippedItems>
type Asked = Omit<Sold & Results & Shipped, 'sort'>
type Found = Pick<OutputOf<typeof listSoldItems>, 'items' | 'nextCursor' | 'total'> & { priceFen: number | null }

/** What did not come out, as the index of failures knows it. */
const BAD = sql`i.state in ('jammed', 'failed', 'no_answer')`

/** Who lost has paid a stake, and no piece was sold. */
export const soldItems = (db: Reader, sight: Sight, filter: Sold): Promise<Found> =>
  find(db, sight, filter, sql`o.paid_at is not null and not (o.ship_state = 'lottery_lost' and i.state = 'waiting')`)

export const shipResults = (db: Reader, sight: Sight, filter: Results): Promise<Found> =>
  find(db, sight, filter, sql`o.paid_at is not null and i.state <> 'waiting'`)

export const shippedItems = (db: Reader, sight: Sight, filter: Shipped): Promise<Found> =>
  find(db, sight, filter, sql`i.state = 'dispensed'`)

/** A page by key, in the order of the orders' own index; with how many there are, and their sum, on the first one. */
async function find(db: Reader, sight: Sight, filter: Asked, kind: RawBuilder<unknown>): Promise<Found> {
  const after = readCursor(filter.cursor, isOrderKey)
  const machineIds = await machinesNamed(db, sight, filter)
  const seen = machineIds ? sql`o.machine_id = any(${machineIds}::bigint[])` : machineOfMany(sight)
  const { merchantId, pointId, method, businessType, orderNo, from, to } = filter
  const ofOrder = filterOf({ merchantId, pointId, method, businessType, orderNo, from, to })
  const where = sql`${seen} and ${ofOrder} and ${ofItem(filter)} and ${kind}`
  const rows = await page(db, where, after, filter.pageSize + 1)
  const items = rows.slice(0, filter.pageSize)
  const last = rows.length > filter.pageSize ? items.at(-1) : undefined
  const summed = after ? null : await sums(db, where)
  return {
    items,
    total: summed?.count ?? null,
    nextCursor: last ? writeCursor({ at: last.occurredAt, id: last.id }) : null,
    priceFen: summed?.priceFen ?? null,
  }
}

function ofItem({ productCode, itemState, motorCode, sensorCode, batch, traceCode }: Asked): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (productCode) parts.push(sql`i.product_id in (select id from product where code = ${productCode})`)
  if (itemState) parts.push(itemState === 'bad' ? BAD : sql`i.state = ${itemState}`)
  if (motorCode) parts.push(sql`i.motor_code = ${motorCode}`)
  if (sensorCode) parts.push(sql`i.sensor_code = ${sensorCode}`)
  if (batch) parts.push(sql`i.batch = ${batch}`)
  if (traceCode) parts.push(sql`i.trace_code = ${traceCode}`)
  return sql.join(parts, sql` and `)
}

const joined = sql`orders o join order_item i
  on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id`

async function page(db: Reader, where: RawBuilder<unknown>, after: OrderKey | null, limit: number) {
  // The order's own key bounds the index; the item's tells those of one order apart.
  const beyond = after
    ? sql`(o.occurred_at, o.id) <= (${after.at}::timestamptz, ${orderIdOf(after.id)})
        and (o.occurred_at, o.id, i.index) < (${after.at}::timestamptz, ${orderIdOf(after.id)}, ${indexOf(after.id)})`
    : sql`true`
  const found = await sql<OrderItem>`
    with picked as materialized (
      select o.id * ${ITEMS_OF_ORDER} + i.index as id, o.id as order_id, o.order_no, o.occurred_at, o.machine_id,
        o.merchant_id, o.point_id, o.method, o.business_type, o.payment_state, o.third_party_no, i.index, i.slot_id,
        i.product_id, i.list_price_fen, i.price_fen, i.state, i.motor_code, i.sensor_code, i.duration_ms, i.attempts,
        i.batch, i.trace_code, i.shipped_at
      from ${joined} where ${where} and ${beyond}
      order by o.occurred_at desc, o.id desc, i.index desc limit ${limit})
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

async function sums(db: Reader, where: RawBuilder<unknown>): Promise<{ count: number; priceFen: number } | null> {
  const found = await sql<{ count: number; priceFen: number }>`
    select count(*) as count, coalesce(sum(price_fen), 0) as "priceFen" from (
      select i.price_fen from ${joined} where ${where} limit ${MOST_COUNTED + 1}) counted`.execute(db)
  const row = found.rows[0]
  return !row || row.count > MOST_COUNTED ? null : row
}
