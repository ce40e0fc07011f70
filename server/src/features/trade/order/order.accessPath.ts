import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { listOrders } from '@aisle/contract/trade/order'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { fewMachinesInSight, machineInSight, type Sight, subtreeOf } from '../../../kernel/scope'
import { minuteWithin, newestDays, placesCalled } from './order.said'

export type Filter = InputOf<typeof listOrders>
export type Conditions = Partial<Omit<Filter, 'cursor' | 'pageSize' | 'sort'>> & {
  /** Whether a settlement holds it: `waiting` is what is still to come, of money that is settled at all. */
  settled?: 'settled' | 'waiting'
}

/** Up to so many machines or merchants a page is merged from one index probe each; above, it is read by time. */
const FEW = 100

/**
 * Which index leads to the orders of a filter: its access path. PostgreSQL would guess from how many rows it expects,
 * and where it expects wrongly read a year of orders to find none:
 * - `time`: newest first, by the index of an unusual state, or by the keys of a number;
 * - `each`: one probe a machine or merchant, merged;
 * - `items`: from the items of a product or batch to their orders.
 */
export type OrderAccessPath = {
  by: 'time' | 'each' | 'items'
  ids: readonly number[]
  /** In sight, of whom and where was asked, in the columns of `orders o`. */
  where: RawBuilder<unknown>
  /** The same for one probe, `w.id` being the machine, merchant or product, of `order_item i` too where by items. */
  probe: RawBuilder<unknown>
}

const all = sql`true`

export async function orderAccessPath(db: Reader, sight: Sight, filter: Conditions): Promise<OrderAccessPath> {
  const called = filter.place ? await placesCalled(db, filter.place) : null
  const machines = await machinesNamed(db, sight, filter, called)
  const merchants = machines ? null : await merchantsNamed(db, filter)
  const seen = machines ? sql`o.machine_id = any(${machines}::bigint[])` : machineOfMany(sight)
  const place = placeIs(filter, machines !== null, called)
  const where = sql`${seen} and ${place} and ${merchantIs(filter, merchants)}`
  const byTime = { by: 'time', ids: [], where, probe: where } as const
  if (filter.q || filter.orderNo || filter.settlementId || isUnusual(filter)) return byTime
  if (machines) {
    const probe = sql`o.machine_id = w.id and ${place} and ${merchantIs(filter, null)}`
    return { by: 'each', ids: machines, where, probe }
  }
  const products = await productsNamed(db, filter)
  if (products ?? filter.batch) {
    const item = products ? sql`i.product_id = w.id` : sql`i.batch = ${filter.batch}`
    return { by: 'items', ids: products ?? [0], where, probe: sql`${item} and ${daysOf(filter, 'i')} and ${where}` }
  }
  if (!merchants) return byTime
  return { by: 'each', ids: merchants, where, probe: sql`o.merchant_id = w.id and ${seen} and ${place}` }
}

/** `offset 0`: an item's order is looked up by its key, or an order's items; never joined from a month of them. */
export const itemsWithOrder = sql`order_item i cross join lateral (select * from orders x
  where x.merchant_id = i.merchant_id and x.occurred_at = i.occurred_at and x.id = i.order_id offset 0) o`
export const ordersWithItems = sql`orders o cross join lateral (select * from order_item x
  where x.merchant_id = o.merchant_id and x.occurred_at = o.occurred_at and x.order_id = o.id offset 0) i`

/**
 * Business days, both included. One is at most 14 hours off UTC: the bound on time, said of whichever table leads,
 * lets PostgreSQL skip whole months.
 */
export function daysOf(filter: Conditions, alias: 'o' | 'i'): RawBuilder<unknown> {
  const { from, to, about } = filter
  const [day, at] = [sql.ref('o.business_day'), sql.ref(`${alias}.occurred_at`)]
  const parts = [all]
  if (from) parts.push(sql`${day} >= ${from}::date and ${at} >= ${midnight(from)} - interval '14 hours'`)
  if (to) parts.push(sql`${day} <= ${to}::date and ${at} < ${midnight(to)} + interval '38 hours'`)
  if (about) parts.push(minuteWithin(at, about, filter.aboutMargin))
  else if (filter.amount && !from) parts.push(newestDays(at))
  return sql.join(parts, sql` and `)
}

const midnight = (day: string) => sql`(${day}::date::timestamp at time zone 'UTC')`

/** As the indexes of orders have it (db/schema): what hardly any order is. */
const isUnusual = ({ paymentState, shipState, businessType, method, problem, paid }: Conditions): boolean =>
  isWithout(paymentState, 'paid') ||
  isWithout(shipState, 'completed') ||
  isWithout(businessType, 'sale') ||
  isWithout(method, 'alipay', 'wechat') ||
  problem !== undefined ||
  paid === 'notDispensed'

const isWithout = <V extends string>(asked: readonly V[] | undefined, ...usual: readonly V[]): boolean =>
  asked !== undefined && !usual.some((each) => asked.includes(each))

/**
 * `is true` keeps PostgreSQL from joining the machines in: it asks a hash of them for each order, which costs the
 * same however few of the orders the filter leaves. A join compared every machine with every order.
 */
const machineOfMany = (sight: Sight) => isAmong(machineInSight(sight, sql.ref('o.machine_id')))
/** A condition that is asked of each row, so that no index is read by it. */
const isAmong = (condition: RawBuilder<unknown>) => sql`(${condition}) is true`

/** Where it was sold, which may be elsewhere than where its machine stands now; and who runs the machine now. */
function placeIs(
  { pointId, hospitalId, operatorId }: Conditions,
  isFew: boolean,
  called: RawBuilder<unknown> | null,
): RawBuilder<unknown> {
  const parts = [all]
  if (called) parts.push(isAmong(sql`o.point_id in (${called})`))
  if (pointId) parts.push(sql`o.point_id = ${pointId}`)
  if (hospitalId) parts.push(isAmong(sql`o.point_id in (select id from point where hospital_id = ${hospitalId})`))
  if (operatorId && !isFew) {
    parts.push(isAmong(sql`o.machine_id in (select id from machine where operator_id = ${operatorId})`))
  }
  return sql.join(parts, sql` and `)
}

function merchantIs({ merchantId, sellerId }: Conditions, few: number[] | null): RawBuilder<unknown> {
  if (few) return sql`o.merchant_id = any(${few}::bigint[])`
  const alone = sellerId ? isAmong(sql`o.merchant_id = ${sellerId}`) : all
  return merchantId ? sql`${isAmong(sql`o.merchant_id in (${subtreeOf(merchantId)})`)} and ${alone}` : alone
}

/** Those that could have sold it (named, run by, stood at, belonged to), or the few in sight; null for many. */
async function machinesNamed(
  db: Reader,
  sight: Sight,
  filter: Conditions,
  called: RawBuilder<unknown> | null,
): Promise<number[] | null> {
  const which = machineIs(filter, called)
  if (!which) return fewMachinesInSight(db, sight, FEW)
  return fewOf(db, sql`select m.id from machine m where ${which} and ${machineInSight(sight, sql.ref('m.id'))}`)
}

function machineIs(filter: Conditions, called: RawBuilder<unknown> | null): RawBuilder<unknown> | null {
  const { machineCode, operatorId, pointId, hospitalId, merchantId, sellerId } = filter
  const stood = sql`select s.machine_id from machine_stood s`
  const owned = sql`select s.machine_id from machine_owned s`
  const parts: RawBuilder<unknown>[] = []
  if (machineCode) parts.push(sql`m.code = ${machineCode}`)
  if (operatorId) parts.push(sql`m.operator_id = ${operatorId}`)
  if (called) parts.push(sql`m.id in (${stood} where s.point_id in (${called}))`)
  if (pointId) parts.push(sql`m.id in (${stood} where s.point_id = ${pointId})`)
  if (hospitalId) {
    parts.push(sql`m.id in (${stood} join point p on p.id = s.point_id where p.hospital_id = ${hospitalId})`)
  }
  if (sellerId) parts.push(sql`m.id in (${owned} where s.merchant_id = ${sellerId})`)
  if (merchantId) parts.push(sql`m.id in (${owned} where s.merchant_id in (${subtreeOf(merchantId)}))`)
  return parts.length > 0 ? sql.join(parts, sql` and `) : null
}

/** One alone, or one with those below it; null when there are many. */
async function merchantsNamed(db: Reader, { merchantId, sellerId }: Conditions): Promise<number[] | null> {
  if (sellerId && !merchantId) return [sellerId]
  return merchantId && !sellerId ? fewOf(db, subtreeOf(merchantId)) : null
}

/** Merchants may each have a product of the same code. */
const productsNamed = async (db: Reader, { productCode }: Conditions): Promise<number[] | null> =>
  productCode ? fewOf(db, sql`select id from product where code = ${productCode}`) : null

async function fewOf(db: Reader, ids: RawBuilder<unknown>): Promise<number[] | null> {
  const found = await sql<{ id: number }>`select id from (${ids} limit ${sql.lit(FEW + 1)}) few`.execute(db)
  return found.rows.length > FEW ? null : found.rows.map(({ id }) => id)
}
