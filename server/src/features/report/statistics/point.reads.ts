import { pointKinds } from '@aisle/contract/fleet/point'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { listPointTrade, PointRow } from '@aisle/contract/report/statistics/point'
import { type RawBuilder, sql } from 'kysely'
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
export function listPointsIn(
  sight: Sight,
  filter: Filter,
  period: Period,
  wordOf: (kind: string) => string,
): Listing<PointRow> {
  const { by, sort, machineCode } = filter
  const isTold = sight.kind !== 'granted' && machineCode === undefined
  const facts = (days: Days) => {
    const sold = soldIn(sight, filter, days)
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

function soldIn(sight: Sight, filter: Filter, days: Days): RawBuilder<unknown> {
  const { merchantId, machineCode, by } = filter
  const times = by === 'month' ? ('month' as const) : undefined
  const scope = { sight, merchantId, machineCode, isByMachine: true, isMoved: false, times, where: pointIs(filter) }
  return sql`select business_day, merchant_id, point_id, orders, paid_fen, refunded_fen,
      cost_fen - refunded_cost_fen as cost_fen, 0::bigint as rent_fen
    from (${figuresOf('figures', days, scope)}) f`
}

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
