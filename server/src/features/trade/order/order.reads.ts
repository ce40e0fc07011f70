import { zInstant } from '@aisle/contract/kernel/endpoint'
import type { Order } from '@aisle/contract/trade/order'
import { shipState } from '@aisle/contract/trade/states'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { readCursor, writeCursor } from '../../../kernel/cursor'
import { allOf, countIn, isAnyOf, type Listing, upTo } from '../../../kernel/list'
import type { Sight } from '../../../kernel/scope'
import { statesIn } from '../../../kernel/states'
import { type Conditions, daysOf, itemsWithOrder, orderAccessPath, type OrderAccessPath } from './order.accessPath'
import { amountWithin, isAbout } from './order.said'

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

/** Newest first, by key: a page deep in millions of rows costs what the first one does. */
export const listing = (path: OrderAccessPath, filter: Conditions): Listing<Order, Sums> => ({
  page: async (db, { cursor, pageSize }) => {
    const after = readCursor(cursor, isOrderKey)
    const found = await pageOf(db, ordersOf(path, { columns, filter, after }, pageSize + 1))
    const items = found.slice(0, pageSize)
    const last = found.length > pageSize ? items.at(-1) : undefined
    return { items, nextCursor: last ? writeCursor({ at: last.occurredAt, id: last.id }) : null }
  },
  count: async (db, most) => {
    const counted = ordersOf(path, { columns: sql`o.paid_fen, o.discount_fen, o.refunded_fen`, filter })
    const found = await sql<Sums & { count: number }>`
      select count(*) as count, coalesce(sum(paid_fen), 0) as "paidFen",
        coalesce(sum(discount_fen), 0) as "discountFen", coalesce(sum(refunded_fen), 0) as "refundedFen"
      from (${counted} ${upTo(most)}) counted`.execute(db)
    return countIn(found.rows[0], most)
  },
})

/** The orders in sight that a filter leaves, by whichever path leads to them. */
export const listOrdersIn = async (db: Reader, sight: Sight, filter: Conditions): Promise<Listing<Order, Sums>> =>
  listing(await orderAccessPath(db, sight, filter), filter)

type Sums = { paidFen: number; discountFen: number; refundedFen: number }

async function pageOf(db: Reader, orders: RawBuilder<unknown>): Promise<Order[]> {
  const found = await sql<Order>`
    with p as materialized (${orders})
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

type Rows = { columns: RawBuilder<unknown>; filter: Conditions; after?: OrderKey | null }

/** Each order that the path leads to once; with `most`, so many of the newest behind `after`. */
function ordersOf(path: OrderAccessPath, { columns, filter, after = null }: Rows, most?: number): RawBuilder<unknown> {
  const newest = most === undefined ? sql`` : sql`order by occurred_at desc, id desc limit ${sql.lit(most)}`
  const rows = sql`select ${columns} from orders o where ${filterOf(filter)} and ${hasItem(filter)}
    and ${beyond(after, sql`o.occurred_at, o.id`)}`
  if (path.by === 'time' || (path.by === 'each' && most === undefined)) return sql`${rows} and ${path.where} ${newest}`
  const byItem = most === undefined ? sql`` : sql`order by i.occurred_at desc, i.order_id desc limit ${sql.lit(most)}`
  const probe =
    path.by === 'each'
      ? sql`${rows} and ${path.probe} ${newest}`
      : sql`select ${columns} from ${itemsWithOrder} where ${path.probe} and ${isFirstItem(filter)}
          and ${filterOf(filter)} and ${beyond(after, sql`i.occurred_at, i.order_id`)} ${byItem}`
  return sql`select p.* from unnest(${[...path.ids]}::bigint[]) as w(id) cross join lateral (${probe}) p ${newest}`
}

/** The one item by which an order is found, so that one with three pieces of a product is listed once. */
const isFirstItem = (filter: Conditions): RawBuilder<unknown> =>
  sql`${itemIs(filter, 'i')} and (not exists (select from order_item e
    where e.merchant_id = i.merchant_id and e.occurred_at = i.occurred_at and e.order_id = i.order_id
      and e.index < i.index and ${itemIs(filter, 'e')})) is true`

/** Asked of each order that other conditions leave; a join would read all items of the product for it. */
const hasItem = (filter: Conditions): RawBuilder<unknown> =>
  filter.productCode || filter.batch
    ? sql`(exists (select from order_item i where i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at
        and i.order_id = o.id and ${itemIs(filter, 'i')})) is true`
    : sql`true`

/** Of a batch only what came out: before, nobody knows of which one a piece will be. */
function itemIs({ productCode, batch }: Conditions, alias: 'i' | 'e'): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  const itsProduct = sql`${of('product_id')} = any(array(select id from product where code = ${productCode}))`
  return sql`${productCode ? itsProduct : sql`true`}
    and ${batch ? sql`${of('batch')} = ${batch} and ${of('state')} = 'dispensed'` : sql`true`}`
}

export function filterOf(filter: Conditions): RawBuilder<boolean> {
  return allOf([
    filter.q && anyNumberIs(filter.q),
    filter.orderNo && numberIs(filter.orderNo),
    filter.settlementId && isSettledWith(filter.settlementId),
    filter.settled && isSettled(filter.settled),
    isAnyOf(sql`o.business_type`, filter.businessType),
    filter.paid && sql`o.paid_at is not null`,
    filter.paid === 'notDispensed' && sql`o.ship_state in ${statesIn(shipState, 'notDispensed')}`,
    filter.amount && amountWithin(filter.amount, filter.amountMargin),
    filter.about && isAbout(filter.about, filter.aboutMargin),
    isAnyOf(sql`o.method`, filter.method),
    isAnyOf(sql`o.payment_state`, filter.paymentState),
    isAnyOf(sql`o.ship_state`, filter.shipState),
    isAnyOf(sql`o.problem`, filter.problem, { any: sql`o.problem is not null` }),
    daysOf(filter, 'o'),
  ])
}

/** By their keys, so that no month is read for them. */
const isSettledWith = (settlementId: number): RawBuilder<unknown> =>
  sql`(o.merchant_id, o.occurred_at, o.id) in (
    select n.merchant_id, n.occurred_at, n.order_id from settled_item i join order_number n on n.order_id = i.reference
    where i.settlement_id = ${settlementId} and i.kind = 'order')`

/** Cash is the merchant's already, and a code was paid for elsewhere. */
const isSettled = (settled: 'settled' | 'waiting'): RawBuilder<unknown> => {
  const held = sql`exists (select from settled_item i where i.kind = 'order' and i.reference = o.id)`
  if (settled === 'settled') return sql`(${held}) is true`
  return sql`o.paid_at is not null and o.paid_fen > 0 and o.method not in ('cash', 'pickup_code')
    and (not ${held}) is true`
}

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

/** @param key the two columns by which the leading table is read */
const beyond = (after: OrderKey | null, key: RawBuilder<unknown>) =>
  after ? sql`(${key}) < (${after.at}::timestamptz, ${after.id})` : sql`true`
