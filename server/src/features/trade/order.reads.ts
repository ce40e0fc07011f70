import { type InputOf, zInstant } from '@aisle/contract/kernel/endpoint'
import type { listOrders, Order } from '@aisle/contract/trade/order'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { fewMachinesInSight, machineInSight, type Sight } from '../../kernel/scope'

type Filter = InputOf<typeof listOrders>

/** Below this many machines in sight a page is merged from one index probe a machine; above it is read by time. */
const FEW_MACHINES = 100
/** Counted exactly up to here; beyond, the total is null and shown as "10,000+". */
export const MOST_COUNTED = 10_000

const columns = sql`o.id, o.merchant_id, o.machine_id, o.order_no, o.occurred_at, o.business_day, o.method,
  o.business_type, o.total_fen, o.discount_fen, o.paid_fen, o.refunded_fen, o.payment_state, o.ship_state,
  o.order_state, o.problem, o.is_offline, o.item_count`

export type OrderKey = { at: string; id: number }

export const isOrderKey = (value: unknown): value is OrderKey =>
  typeof value === 'object' &&
  value !== null &&
  'at' in value &&
  'id' in value &&
  Number.isSafeInteger(value.id) &&
  typeof value.at === 'string' &&
  zInstant.safeParse(value.at).success

/** A page, newest first, by key: a page deep in millions of rows costs what the first one does. */
export async function page(db: Reader, sight: Sight, filter: Filter, after: OrderKey | null): Promise<Order[]> {
  const machineIds = await machinesNamed(db, sight, filter)
  const limit = filter.pageSize + 1
  const where = sql`${filterOf(filter)} and ${afterKey(after)}`
  const picked = machineIds
    ? sql`select p.* from unnest(${machineIds}::bigint[]) as m(id) cross join lateral (
        select ${columns} from orders o where o.machine_id = m.id and ${where}
        order by o.occurred_at desc, o.id desc limit ${limit}) p
        order by p.occurred_at desc, p.id desc limit ${limit}`
    : sql`select ${columns} from orders o where ${machineOfMany(sight)} and ${where}
        order by o.occurred_at desc, o.id desc limit ${limit}`
  const found = await sql<Order>`
    with p as materialized (${picked})
    select p.id, p.order_no as "orderNo", to_json(p.occurred_at) #>> '{}' as "occurredAt",
      p.business_day as "businessDay",
      p.machine_id as "machineId", m.code as "machineCode", m.name as "machineName", c.name as "merchantName",
      coalesce(n.names, '') as "productNames", p.item_count as "itemCount", p.method,
      p.business_type as "businessType", p.total_fen as "totalFen", p.discount_fen as "discountFen",
      p.paid_fen as "paidFen", p.refunded_fen as "refundedFen", p.payment_state as "paymentState",
      p.ship_state as "shipState", p.order_state as "orderState", p.problem, p.is_offline as "isOffline"
    from p join machine m on m.id = p.machine_id join merchant c on c.id = p.merchant_id
    left join lateral (
      select string_agg(product.name, ' · ' order by i.index) as names
      from order_item i join product on product.id = i.product_id
      where i.merchant_id = p.merchant_id and i.occurred_at = p.occurred_at and i.order_id = p.id) n on true
    order by p.occurred_at desc, p.id desc`.execute(db)
  return found.rows
}

export type Sums = { count: number; paidFen: number; discountFen: number; refundedFen: number }

/** Count and sums over the filter, as long as they are cheap: null beyond `MOST_COUNTED` rows. */
export async function sums(db: Reader, sight: Sight, filter: Filter): Promise<Sums | null> {
  const machineIds = await machinesNamed(db, sight, filter)
  const seen = machineIds ? sql`o.machine_id = any(${machineIds}::bigint[])` : machineOfMany(sight)
  const found = await sql<Sums>`
    select count(*) as count, coalesce(sum(paid_fen), 0) as "paidFen", coalesce(sum(discount_fen), 0) as "discountFen",
      coalesce(sum(refunded_fen), 0) as "refundedFen"
    from (select o.paid_fen, o.discount_fen, o.refunded_fen from orders o
      where ${seen} and ${filterOf(filter)} limit ${MOST_COUNTED + 1}) counted`.execute(db)
  const row = found.rows[0]
  return !row || row.count > MOST_COUNTED ? null : row
}

/**
 * `is true` keeps PostgreSQL from joining the machines in: it asks a hash of them for each order, which costs the
 * same however few of the orders the filter leaves. A join compared every machine with every order.
 */
const machineOfMany = (sight: Sight) => sql`(${machineInSight(sight, sql.ref('o.machine_id'))}) is true`

/** One named machine, or the few in sight; null when there are many. */
async function machinesNamed(db: Reader, sight: Sight, filter: Filter): Promise<number[] | null> {
  if (!filter.machineCode) return fewMachinesInSight(db, sight, FEW_MACHINES)
  const found = await sql<{ id: number }>`select m.id from machine m
    where m.code = ${filter.machineCode} and ${machineInSight(sight, sql.ref('m.id'))}`.execute(db)
  return found.rows.map((row) => row.id)
}

function filterOf(filter: Filter): RawBuilder<boolean> {
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (filter.orderNo) parts.push(numberIs(filter.orderNo))
  if (filter.merchantId) {
    parts.push(sql`o.merchant_id in (select id from merchant where path @> array[${filter.merchantId}]::bigint[])`)
  }
  if (filter.method) parts.push(sql`o.method = ${filter.method}`)
  if (filter.paymentState) parts.push(sql`o.payment_state = ${filter.paymentState}`)
  if (filter.shipState) parts.push(sql`o.ship_state = ${filter.shipState}`)
  if (filter.problem === 'any') parts.push(sql`o.problem is not null`)
  if (filter.problem && filter.problem !== 'any') parts.push(sql`o.problem = ${filter.problem}`)
  // A business day is at most 14 hours off UTC: the bound on time lets PostgreSQL skip whole months.
  if (filter.from) {
    parts.push(
      sql`o.business_day >= ${filter.from}::date and o.occurred_at >= ${midnight(filter.from)} - interval '14 hours'`,
    )
  }
  if (filter.to) {
    parts.push(
      sql`o.business_day <= ${filter.to}::date and o.occurred_at < ${midnight(filter.to)} + interval '38 hours'`,
    )
  }
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

const midnight = (day: string) => sql`(${day}::date::timestamp at time zone 'UTC')`

/**
 * Our number leads straight to its row through its narrow table; else it is a channel's number. Keys of both in one
 * list, since an "or" of the two would read every order.
 */
const numberIs = (text: string) => sql`(o.merchant_id, o.occurred_at, o.id) in (
  select merchant_id, occurred_at, order_id from order_number where order_no = ${text}
  union all select merchant_id, occurred_at, id from orders where third_party_no = ${text})`

const afterKey = (after: OrderKey | null) =>
  after ? sql`(o.occurred_at, o.id) < (${after.at}::timestamptz, ${after.id})` : sql`true`
