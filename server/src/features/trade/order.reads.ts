import { type InputOf, zInstant } from '@aisle/contract/kernel/endpoint'
import type { listOrders, Order } from '@aisle/contract/trade/order'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { fewMachinesInSight, machineInSight, type Sight } from '../../kernel/scope'

type Filter = InputOf<typeof listOrders>
type Conditions = Partial<Omit<Filter, 'cursor' | 'pageSize' | 'sort'>>

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
export const machineOfMany = (sight: Sight) => sql`(${machineInSight(sight, sql.ref('o.machine_id'))}) is true`

/** One named machine, an operator's, or the few in sight; null when there are many. */
export async function machinesNamed(
  db: Reader,
  sight: Sight,
  { machineCode, operatorId }: Partial<Pick<Filter, 'machineCode' | 'operatorId'>>,
): Promise<number[] | null> {
  const its = machineCode ? sql`m.code = ${machineCode}` : operatorId ? sql`m.operator_id = ${operatorId}` : null
  if (!its) return fewMachinesInSight(db, sight, FEW_MACHINES)
  const found = await sql<{ id: number }>`select m.id from machine m
    where ${its} and ${machineInSight(sight, sql.ref('m.id'))} limit ${FEW_MACHINES + 1}`.execute(db)
  return found.rows.length > FEW_MACHINES ? null : found.rows.map((row) => row.id)
}

export function filterOf(filter: Conditions): RawBuilder<boolean> {
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (filter.q) parts.push(anyNumberIs(filter.q))
  if (filter.orderNo) parts.push(numberIs(filter.orderNo))
  if (filter.merchantId) {
    parts.push(sql`o.merchant_id in (select id from merchant where path @> array[${filter.merchantId}]::bigint[])`)
  }
  if (filter.sellerId) parts.push(sql`o.merchant_id = ${filter.sellerId}`)
  if (filter.pointId) parts.push(sql`o.point_id = ${filter.pointId}`)
  if (filter.hospitalId) {
    parts.push(sql`o.point_id in (select id from point where hospital_id = ${filter.hospitalId})`)
  }
  if (filter.operatorId)
    parts.push(sql`o.machine_id in (select id from machine where operator_id = ${filter.operatorId})`)
  if (filter.settlementId) parts.push(isSettledWith(filter.settlementId))
  if (filter.businessType) parts.push(sql`o.business_type = ${filter.businessType}`)
  if (filter.productCode || filter.batch) parts.push(hasItem(filter))
  if (filter.paid) parts.push(sql`o.paid_at is not null`)
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

/** By their keys, so that no month is read for them. */
const isSettledWith = (settlementId: number): RawBuilder<unknown> =>
  sql`(o.merchant_id, o.occurred_at, o.id) in (
    select n.merchant_id, n.occurred_at, n.order_id from settled_item i join order_number n on n.order_id = i.reference
    where i.settlement_id = ${settlementId} and i.kind = 'order')`

/** Of a batch only what came out: before, nobody knows of which one a piece will be. */
function hasItem({ productCode, batch }: Conditions): RawBuilder<unknown> {
  const itsProduct = sql`i.product_id in (select id from product where code = ${productCode})`
  return sql`exists (select from order_item i
    where i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
      and ${productCode ? itsProduct : sql`true`}
      and ${batch ? sql`i.batch = ${batch} and i.state = 'dispensed'` : sql`true`})`
}

const midnight = (day: string) => sql`(${day}::date::timestamp at time zone 'UTC')`

/**
 * Our number leads straight to its row through its narrow table; else it is a channel's number. Keys of both in one
 * list, since an "or" of the two would read every order.
 */
const numberIs = (text: string) => sql`(o.merchant_id, o.occurred_at, o.id) in (
  select merchant_id, occurred_at, order_id from order_number where order_no = ${text}
  union all select merchant_id, occurred_at, id from orders where third_party_no = ${text})`

/**
 * Whatever a customer can read out: any number of the order, of its payment or refund, the trace code on a pack, a
 * card, a prescription, or the phone of a member, which stands for their cards. One probe of an index each.
 */
const anyNumberIs = (text: string) => sql`(o.merchant_id, o.occurred_at, o.id) in (
  select merchant_id, occurred_at, order_id from order_number where order_no = ${text}
  union all select merchant_id, occurred_at, id from orders
    where third_party_no = ${text} or prescription_code = ${text} or tender_code = ${text}
  union all select merchant_id, occurred_at, order_id from order_item where trace_code = ${text}
  union all select merchant_id, occurred_at, order_id from payment_attempt
    where attempt_no = ${text} or channel_no = ${text}
  union all select merchant_id, occurred_at, order_id from refund
    where refund_no = ${text} or channel_refund_no = ${text}
  union all select p.merchant_id, p.occurred_at, p.id from orders p
    join member_card card on p.tender_code in (card.physical_no, card.logical_no) and p.method = 'member_card'
    join member on member.id = card.member_id
    where member.phone = ${text} or card.logical_no = ${text.toUpperCase()}
      or card.physical_no = ${text.toLowerCase()})`

const afterKey = (after: OrderKey | null) =>
  after ? sql`(o.occurred_at, o.id) < (${after.at}::timestamptz, ${after.id})` : sql`true`
