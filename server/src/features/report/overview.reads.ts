import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getOverview } from '@aisle/contract/report/overview'
import { businessTypes, paymentMethods } from '@aisle/contract/trade/states'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, isAnyOf } from '../../kernel/list'
import { machineInSight, type Sight } from '../../kernel/scope'
import { figuresOf, hasMoved, type Reach } from './figures.source'
import { addUp, bucketsOf, type Cell, type Unit, unitOf } from './overview.rules'
import type { Days, Period } from './period.rules'
import { salesScope } from './sales.reads'

type Filter = InputOf<typeof getOverview>
type Overview = OutputOf<typeof getOverview>
type Mover = Overview['products'][number]

const MOST_MOVERS = 6

export async function overview(db: Reader, sight: Sight, filter: Filter, period: Period): Promise<Overview> {
  const scope = { ...salesScope(sight, filter), isMoved: await hasMoved(db, sight) }
  const { before } = period
  const unit = unitOf(period)
  const cells = await cellsOf(db, sight, { filter, scope, period, unit })
  const buckets = bucketsOf(unit, period)
  const share = (which: (cell: Cell) => boolean) => {
    const mine = cells.filter(which)
    const now = addUp(mine.filter(({ isBefore }) => !isBefore))
    return {
      orders: now.orders,
      paidFen: now.paidFen,
      beforeFen: addUp(mine.filter(({ isBefore }) => isBefore)).paidFen,
      trend: buckets.map((_, at) => addUp(mine.filter((cell) => !cell.isBefore && cell.bucket === at)).paidFen),
    }
  }
  const totals = addUp(cells.filter(({ isBefore }) => !isBefore))
  const totalsBefore = addUp(cells.filter(({ isBefore }) => isBefore))
  return {
    from: period.from,
    to: period.to,
    beforeFrom: before.from,
    beforeTo: before.to,
    totals,
    before: totalsBefore,
    unit,
    trend: buckets.map((at, bucket) => {
      const then = addUp(cells.filter((cell) => cell.isBefore && cell.bucket === bucket))
      const { orders, paidFen, refundedFen } = addUp(cells.filter((cell) => !cell.isBefore && cell.bucket === bucket))
      return { at, orders, paidFen, refundedFen: unit === 'hour' ? null : refundedFen, beforeFen: then.paidFen }
    }),
    methods: paymentMethods.map((method) => ({ method, ...share((cell) => cell.method === method) })),
    types: businessTypes.map((businessType) => ({ businessType, ...share((cell) => cell.type === businessType) })),
    // A product has no method, nor a kind of business: narrowed to one, nothing can be said of products.
    products:
      filter.method || filter.businessType || filter.pointId || filter.hospitalId
        ? []
        : await productMovers(db, scope, period),
    machines: await machineMovers(db, scope, period),
  }
}

type Asked = { filter: Filter; scope: Reach; period: Period; unit: Unit }

/** By place in the time that is shown, method and kind of business; of the time and of the one before. */
export async function cellsOf(db: Reader, sight: Sight, { filter, scope, period, unit }: Asked): Promise<Cell[]> {
  const { before } = period
  const times = unit === 'month' ? 'month' : 'day'
  const of = (days: Days, isBefore: boolean) => sql`
    select ${isBefore ? sql`true` : sql`false`} as "isBefore", ${bucketOf(unit, days)} as bucket, method,
      business_type as type, sum(orders)::bigint as orders, sum(paid_fen)::bigint as "paidFen",
      sum(discount_fen)::bigint as "discountFen", sum(refunds)::bigint as refunds,
      sum(refunded_fen)::bigint as "refundedFen", sum(orders - online_orders)::bigint as "offlineOrders"
    from (${figuresOf('figures', days, { ...scope, times })}) f group by 2, 3, 4`
  const found = await sql<Cell>`${of(period, false)} union all ${of(before, true)}`.execute(db)
  if (unit !== 'hour') return found.rows
  // The day's figures have no place among the hours; its orders have, and say the same in sum.
  const unplaced = found.rows.map((cell) => ({ ...cell, orders: 0, paidFen: 0, bucket: -1 }))
  const hours = await Promise.all([hoursOf(db, sight, filter, period, false), hoursOf(db, sight, filter, before, true)])
  return [...unplaced, ...hours.flat()]
}

function bucketOf(unit: Unit, { from }: Days): RawBuilder<unknown> {
  const first = sql`${from}::date`
  if (unit === 'week') return sql`(business_day - ${first}) / 7`
  if (unit !== 'month') return sql`business_day - ${first}`
  const months = (day: RawBuilder<unknown>) => sql`(extract(year from ${day}) * 12 + extract(month from ${day}))::int`
  return sql`${months(sql`business_day`)} - ${months(first)}`
}

async function hoursOf(
  db: Reader,
  sight: Sight,
  { merchantId, machineCode, pointId, hospitalId, method, businessType }: Filter,
  { from: day }: Days,
  isBefore: boolean,
): Promise<Cell[]> {
  const found = await sql<Cell>`
    select ${isBefore}::boolean as "isBefore", extract(hour from o.occurred_at at time zone m.time_zone)::int as bucket,
      o.method, o.business_type as type, count(*)::int as orders, sum(o.paid_fen)::bigint as "paidFen",
      0 as "discountFen", 0 as refunds, 0 as "refundedFen", 0 as "offlineOrders"
    from orders o join machine m on m.id = o.machine_id
    where o.business_day = ${day}::date and o.paid_at is not null
      and o.occurred_at >= ${day}::date::timestamp at time zone 'UTC' - interval '14 hours'
      and o.occurred_at < ${day}::date::timestamp at time zone 'UTC' + interval '38 hours'
      and (${machineInSight(sight, sql.ref('o.machine_id'))}) is true
      and ${allOf([
        merchantId && sql`o.merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
        machineCode && sql`m.code = ${machineCode}`,
        pointId && sql`o.point_id = ${pointId}`,
        hospitalId && sql`o.point_id in (select id from point where hospital_id = ${hospitalId})`,
        isAnyOf(sql`o.method`, method),
        isAnyOf(sql`o.business_type`, businessType),
      ])}
    group by 2, 3, 4`.execute(db)
  return found.rows
}

const productMovers = (db: Reader, scope: Reach, period: Period) =>
  movers(db, sql`product`, {
    now: sql`select product_id as id, paid_fen from (${figuresOf('pieces', period, scope)}) f`,
    earlier: sql`select product_id, paid_fen from (${figuresOf('pieces', period.before, scope)}) f`,
  })

function machineMovers(db: Reader, scope: Reach, period: Period): Promise<Mover[]> {
  const each = { ...scope, isByMachine: true }
  return movers(db, sql`machine`, {
    now: sql`select machine_id as id, paid_fen from (${figuresOf('figures', period, each)}) f`,
    earlier: sql`select machine_id, paid_fen from (${figuresOf('figures', period.before, each)}) f`,
  })
}

async function movers(
  db: Reader,
  table: RawBuilder<unknown>,
  { now, earlier }: { now: RawBuilder<unknown>; earlier: RawBuilder<unknown> },
): Promise<Mover[]> {
  const found = await sql<Mover>`
    select x.code, x.name, m."paidFen", m."beforeFen" from (
      select id, coalesce(sum(paid_fen) filter (where not is_before), 0)::bigint as "paidFen",
        coalesce(sum(paid_fen) filter (where is_before), 0)::bigint as "beforeFen"
      from (select n.*, false as is_before from (${now}) n union all select t.*, true from (${earlier}) t) both_times
      group by id
    ) m join ${table} x on x.id = m.id where "paidFen" <> "beforeFen"
    order by abs("paidFen" - "beforeFen") desc, m.id limit ${sql.lit(MOST_MOVERS)}`.execute(db)
  return found.rows
}
