import { pointKinds } from '@aisle/contract/fleet/point'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { listPointTrade, PointRow } from '@aisle/contract/report/statistics/point'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, mapRows } from '../../../kernel/list'
import { merchantInSight, type Sight, subtreeOf } from '../../../kernel/scope'
import { figuresOf } from '../figures.source'
import {
  byChange,
  difference,
  type Group,
  groupedFrom,
  inOrder,
  largest,
  type Measure,
  merchantGroup,
  monthGroup,
  numberOf,
  pointGroup,
  type Report,
  total,
  wordGroup,
} from '../grouped.reads'
import { type Days, daysBehind, type Period } from '../period.rules'

type Filter = InputOf<typeof listPointTrade>

const groups: Record<Filter['by'], Group> = {
  point: pointGroup,
  pointKind: wordGroup(pointKinds, 'kind'),
  city: { key: numberOf(sql`at.city`), name: sql`g.city` },
  merchant: merchantGroup,
  month: monthGroup,
}

const itsPlace = sql`join (select id as of_point, kind, city from point) at on at.of_point = f.point_id`

const profit: Measure = (which) =>
  sql`coalesce(sum(paid_fen - refunded_fen - cost_fen - rent_fen) filter (where ${which}), 0)::bigint`

/** @param isTold whether the reader is told of rent */
const reportOf = (filter: Filter, isTold: boolean): Report => {
  const told = (measure: Measure): Measure => (isTold ? measure : () => sql`null::bigint`)
  return {
    sumsBefore: true,
    with: itsPlace,
    measures: {
      orders: total('orders'),
      paidFen: total('paid_fen'),
      refundedFen: total('refunded_fen'),
      netFen: difference('paid_fen', 'refunded_fen'),
      costFen: total('cost_fen'),
      marginFen: (which) => sql`coalesce(sum(paid_fen - refunded_fen - cost_fen) filter (where ${which}), 0)::bigint`,
      rentFen: told(total('rent_fen')),
      profitFen: told(profit),
    },
    row: { city: sql`min(at.city)` },
    compared: 'netFen',
    also: sql`, round(1000 * g."profitFen"::numeric / nullif(g."netFen", 0))::int as "profitPermille"`,
    orders: {
      profit: largest('profitFen'),
      profitLeast: { by: sql`coalesce("profitFen", 0)`, type: 'bigint' },
      net: largest('netFen'),
      rent: largest('rentFen'),
      change: byChange,
      group: inOrder(filter.by === 'month'),
    },
  }
}

type Found = Omit<PointRow, 'orderSearch' | 'pointSearch'> & { city: string }

/** @param wordOf a kind of point in the caller's language */
export async function listPointsIn(
  db: Reader,
  sight: Sight,
  filter: Filter,
  period: Period,
  wordOf: (kind: string) => string,
): Promise<Listing<PointRow>> {
  const { by, sort, machineCode } = filter
  const isTold = sight.kind !== 'granted' && machineCode === undefined
  const moved = await findMoved(db, sight, filter, [period, period.before])
  const facts = (days: Days) => {
    const sold = soldIn(sight, filter, days, moved)
    return isTold ? sql`${sold} union all ${rentIn(sight, filter, days)}` : sold
  }
  const list = groupedFrom<Found>(facts, reportOf(filter, isTold), groups[by], { period, sort })
  return mapRows(list, (found) =>
    found.map(({ city: _, ...row }) => ({
      ...row,
      name: by === 'pointKind' ? wordOf(row.name) : row.name,
      orderSearch: ordersOf(filter, period, row),
      pointSearch: by === 'point' ? { open: String(row.id) } : ({} as Record<string, string>),
    })),
  )
}

const pointIs = ({ pointKind }: Filter) =>
  pointKind ? [sql`point_id in (select id from point where ${isAnyOf(sql`kind`, pointKind)})`] : []

const scopeOf = (sight: Sight, { merchantId, machineCode, by }: Filter) => ({
  sight,
  merchantId,
  machineCode,
  isByMachine: true,
  times: by === 'month' ? ('month' as const) : undefined,
})

/** Machines that sold at several points in one of the times: few of the few that ever stood at several. */
async function findMoved(db: Reader, sight: Sight, filter: Filter, times: readonly Days[]): Promise<number[]> {
  const everMoved = await sql<{ id: number }>`select machine_id as id from machine_stood
    group by 1 having count(*) > 1`.execute(db)
  if (everMoved.rows.length === 0) return []
  const ids = everMoved.rows.map(({ id }) => id)
  const scope = { ...scopeOf(sight, filter), where: [sql`machine_id = any (${ids}::bigint[])`] }
  const parts = times.map(
    (days) => sql`select machine_id as id from (${figuresOf('figures', days, scope)}) f
      group by 1 having min(point_id) <> max(point_id)`,
  )
  const found = await sql<{ id: number }>`${sql.join(parts, sql` union `)}`.execute(db)
  return found.rows.map(({ id }) => id)
}

/**
 * The rollups tell pieces by machine alone. A machine that sold at one point in the time has all its cost there; of
 * the few that sold at several, the pieces themselves are asked.
 * @param moved those; the pieces of a year are not even looked for where there are none
 */
function soldIn(sight: Sight, filter: Filter, days: Days, moved: readonly number[]): RawBuilder<unknown> {
  const { merchantId } = filter
  const scope = scopeOf(sight, filter)
  const ids = sql`${[...moved]}::bigint[]`
  const pieces = sql`union all
    select c.business_day, c.merchant_id, c.point_id, 0, 0, 0, c.cost_fen, 0 from (${piecesOf(ids, days)}) c
    ${merchantId ? sql`where c.merchant_id in (${subtreeOf(merchantId)})` : sql``}`
  return sql`select * from (
    with sold as materialized (select * from (${figuresOf('figures', days, scope)}) f),
    stood as materialized (
      select machine_id, min(point_id) as point_id from sold where machine_id <> all (${ids}) group by 1)
    select business_day, merchant_id, point_id, orders, paid_fen, refunded_fen, 0::bigint as cost_fen,
      0::bigint as rent_fen from sold
    union all
    select p.business_day, p.merchant_id, s.point_id, 0, 0, 0, p.cost_fen - p.refunded_cost_fen, 0
    from (${figuresOf('pieces', days, scope)}) p join stood s on s.machine_id = p.machine_id
    ${moved.length > 0 ? pieces : sql``}
  ) f where ${allOf(pointIs(filter))}`
}

/** Cost of what was sold, less that of what was paid back: each on its own day, at the point of the sale. */
const piecesOf = (machines: RawBuilder<unknown>, { from, to }: Days): RawBuilder<unknown> => sql`
  select o.business_day, o.merchant_id, o.point_id, i.cost_fen from orders o join order_item i
    on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
  where o.machine_id = any (${machines}) and o.paid_at is not null
    and o.business_day between ${from}::date and ${to}::date
    and o.occurred_at >= ${from}::date - interval '1 day' and o.occurred_at < ${to}::date + interval '2 days'
  union all
  select f.business_day, o.merchant_id, o.point_id, -i.cost_fen from refund_done f
    join orders o using (merchant_id, occurred_at, id) join order_item i
      on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    join refund_item p on p.refund_id = f.refund_id and p.item_index = i.index
  where o.machine_id = any (${machines}) and f.business_day between ${from}::date and ${to}::date`

/** Of each point and calendar month the days of it that lie in the time, whole fen a month. */
const rentIn = (sight: Sight, filter: Filter, { from, to }: Days): RawBuilder<unknown> => sql`
  select greatest(m.first, ${from}::date), p.merchant_id, r.point_id, 0, 0, 0, 0::bigint,
    round(sum(r.rent_fen::numeric * (least(r.until, m.next, ${to}::date + 1)
      - greatest(r.from_day, m.first, ${from}::date)) / (m.next - m.first)))::bigint
  from (select point_id, rent_fen, from_day,
      coalesce(lead(from_day) over (partition by point_id order by from_day), 'infinity'::date) as until
    from point_rent) r
  join (select first::date, (first + interval '1 month')::date as next from generate_series(
    date_trunc('month', ${from}::date::timestamp), ${to}::date::timestamp, interval '1 month') first) m
    on r.from_day < least(m.next, ${to}::date + 1) and r.until > greatest(m.first, ${from}::date)
  join point p on p.id = r.point_id
  where ${allOf([
    merchantInSight(sight, sql`p.merchant_id`),
    filter.merchantId && sql`p.merchant_id in (${subtreeOf(filter.merchantId)})`,
    ...pointIs(filter),
  ])} group by 1, 2, 3`

function ordersOf({ merchantId, machineCode, by }: Filter, period: Period, row: { id: number; name: string }) {
  if (by === 'pointKind' || by === 'city') return {}
  const { from, to } = by === 'month' ? daysBehind(by, row.name, period) : period
  const search: Record<string, string> = { from, to, paid: 'yes' }
  if (merchantId) search.merchantId = String(merchantId)
  if (machineCode) search.machineCode = machineCode
  if (by === 'point') search.pointId = String(row.id)
  if (by === 'merchant') search.sellerId = String(row.id)
  return search
}
