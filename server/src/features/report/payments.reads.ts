import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getPayments, listPayments, PaymentRow } from '@aisle/contract/report/payments'
import { paymentMethods, type PaymentMethod } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { addDays } from '../../kernel/businessDay'
import type { Reader } from '../../kernel/context'
import { type Listing, mapRows } from '../../kernel/list'
import type { Sight } from '../../kernel/scope'
import { type Family, hasMoved } from './figures.source'
import { byChange, difference, grouped, largest, type Report, total } from './grouped.reads'
import { methodGroups, methodOf } from './methods.groups'
import { cellsOf } from './overview.reads'
import { addUp, bucketsOf, type Unit, unitOf } from './overview.rules'
import { daysBehind, type Period } from './period.rules'
import { refundSearchOf, salesScope } from './sales.reads'

type Over = InputOf<typeof getPayments>
type Filter = InputOf<typeof listPayments>

/** What each method brought at each place of the time, from the same figures as the overview. */
export async function payments(
  db: Reader,
  sight: Sight,
  filter: Over,
  period: Period,
): Promise<OutputOf<typeof getPayments>> {
  const unit = unitOf(period)
  const scope = { ...salesScope(sight, filter), isMoved: await hasMoved(db, sight) }
  const cells = await cellsOf(db, sight, { filter, scope, period, unit })
  const buckets = bucketsOf(unit, period)
  return {
    unit,
    places: buckets.map((at, place) => ({ at, ...daysAt(unit, at, buckets[place + 1], period) })),
    methods: paymentMethods.map((method) => {
      const mine = cells.filter((cell) => cell.method === method)
      const now = addUp(mine.filter(({ isBefore }) => !isBefore))
      const before = addUp(mine.filter(({ isBefore }) => isBefore))
      return {
        method,
        orders: now.orders,
        paidFen: now.paidFen,
        beforeOrders: before.orders,
        beforeFen: before.paidFen,
        trend: buckets.map((_, at) => {
          const { orders, paidFen } = addUp(mine.filter((cell) => !cell.isBefore && cell.bucket === at))
          return { orders, paidFen }
        }),
      }
    }),
  }
}

/** The days that a place of the trend stands for; an hour stands for its day, which is as near as orders are asked. */
function daysAt(unit: Unit, at: string, next: string | undefined, { from, to }: Period): { from: string; to: string } {
  if (unit === 'hour') return { from, to }
  return { from: at, to: next === undefined ? to : addDays(next, -1) }
}

const report: Report & { family: Family } = {
  family: 'figures',
  measures: {
    orders: total('orders'),
    paidFen: total('paid_fen'),
    refunds: total('refunds'),
    refundedFen: total('refunded_fen'),
    netFen: difference('paid_fen', 'refunded_fen'),
  },
  compared: 'paidFen',
  also: sql`, ${methodOf} as method, round(g."paidFen"::numeric / nullif(g.orders, 0))::bigint as "averageFen",
    round(1000 * g."paidFen" / nullif(sum(g."paidFen") over (), 0))::int as "sharePermille"`,
  orders: {
    paid: largest('paidFen'),
    orders: largest('orders'),
    group: { by: sql`-id`, type: 'bigint' },
    change: byChange,
  },
}

type Found = Omit<PaymentRow, 'orderSearch' | 'refundSearch' | 'drill'>

/** @param wordOf a payment method in the caller's language */
export async function listPaymentsIn(
  db: Reader,
  sight: Sight,
  filter: Filter,
  period: Period,
  wordOf: (method: PaymentMethod) => string,
): Promise<Listing<PaymentRow>> {
  const how = { period, scope: salesScope(sight, filter), sort: filter.sort }
  return mapRows(await grouped<Found>(db, report, methodGroups[filter.by], how), (rows) =>
    rows.map((row) => {
      const search = searchOf(filter, period, row)
      return {
        ...row,
        name: filter.by === 'method' ? wordOf(row.method) : row.name,
        orderSearch: { ...search, paid: 'yes' },
        refundSearch: refundSearchOf(search),
        drill: filter.by === 'day' ? {} : { ...search, by: 'day', sort: 'group' },
      }
    }),
  )
}

function searchOf(
  { merchantId, machineCode, businessType, by }: Filter,
  period: Period,
  { name, method }: Found,
): Record<string, string> {
  const given = { merchantId, machineCode, businessType }
  const set = Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))
  const days = by === 'method' ? { from: period.from, to: period.to } : daysBehind(by, name, period)
  return { ...days, ...Object.fromEntries(set), method }
}
