import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { listSalesSummary, SalesRow } from '@aisle/contract/report/sales'
import { businessTypes, paymentMethods } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { type Listing, mapRows } from '../../kernel/list'
import type { Sight } from '../../kernel/scope'
import type { Scope } from './figures.source'
import {
  dayGroup,
  difference,
  type Group,
  grouped,
  inOrder,
  largest,
  machineGroup,
  merchantGroup,
  monthGroup,
  pointGroup,
  type Report,
  total,
  weekGroup,
  wordGroup,
} from './grouped.reads'
import { daysBehind, type Period } from './period.rules'

type Filter = Omit<InputOf<typeof listSalesSummary>, 'by'> & { by: keyof typeof groups }

const groups = {
  day: dayGroup,
  week: weekGroup,
  month: monthGroup,
  merchant: merchantGroup,
  machine: machineGroup,
  point: pointGroup,
  method: wordGroup(paymentMethods, 'method'),
  businessType: wordGroup(businessTypes, 'business_type'),
} satisfies Record<string, Group>

const report = (isTime: boolean): Report => ({
  family: 'figures',
  measures: {
    orders: total('orders'),
    paidFen: total('paid_fen'),
    discountFen: total('discount_fen'),
    refunds: total('refunds'),
    refundedFen: total('refunded_fen'),
    netFen: difference('paid_fen', 'refunded_fen'),
    offlineOrders: difference('orders', 'online_orders'),
  },
  compared: 'netFen',
  also: sql`, round(g."paidFen"::numeric / nullif(g.orders, 0))::bigint as "averageFen"`,
  orders: {
    group: inOrder(isTime),
    net: largest('netFen'),
    orders: largest('orders'),
    refunded: largest('refundedFen'),
    change: { by: sql`-abs(coalesce("changeFen", 0))`, type: 'bigint' },
  },
})

export const salesScope = (sight: Sight, filter: Omit<Filter, 'by' | 'sort' | 'pageSize' | 'cursor'>): Scope => ({
  sight,
  merchantId: filter.merchantId,
  machineCode: filter.machineCode,
  where: [
    ...(filter.method ? [sql`method = ${sql.lit(filter.method)}`] : []),
    ...(filter.businessType ? [sql`business_type = ${sql.lit(filter.businessType)}`] : []),
    ...(filter.pointId ? [sql`point_id = ${filter.pointId}`] : []),
  ],
  isByMachine: filter.pointId !== undefined,
})

type Found = Omit<SalesRow, 'orderSearch' | 'refundSearch'>

/** @param wordOf a payment method or kind of business in the caller's language */
export async function listSalesIn(
  db: Reader,
  sight: Sight,
  filter: Filter,
  period: Period,
  wordOf: (kind: 'method' | 'businessType', key: string) => string,
): Promise<Listing<SalesRow>> {
  const group = groups[filter.by]
  const scope = salesScope(sight, filter)
  const list = await grouped<Found>(
    db,
    report('times' in group),
    { ...group, isByMachine: 'isByMachine' in group || (scope.isByMachine ?? false) },
    { period, scope, sort: filter.sort },
  )
  const isWord = filter.by === 'method' || filter.by === 'businessType'
  return mapRows(list, (rows) =>
    rows.map((row) => {
      const search = searchOf(filter, period, row)
      return {
        ...row,
        name: isWord ? wordOf(filter.by as 'method' | 'businessType', row.name) : row.name,
        orderSearch: { ...search, paid: 'yes' },
        refundSearch: refundSearchOf(search),
      }
    }),
  )
}

/** The orders behind a row: what the report is narrowed to, and the row itself. */
function searchOf(filter: Filter, period: Period, row: Found): Record<string, string> {
  const { merchantId, machineCode, pointId, method, businessType, by } = filter
  const given = { merchantId, machineCode, pointId, method, businessType }
  const set = Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))
  const base: Record<string, string> = { from: period.from, to: period.to, ...Object.fromEntries(set) }
  if (by === 'day' || by === 'week' || by === 'month') return { ...base, ...daysBehind(by, row.name, period) }
  if (by === 'machine') return { ...base, machineCode: row.code ?? '' }
  if (by === 'method' || by === 'businessType') return { ...base, [by]: row.name }
  return by === 'merchant' ? { ...base, sellerId: String(row.id) } : { ...base, pointId: String(row.id) }
}

/** Refunds count on the days on which they were done. */
export const refundSearchOf = ({ from = '', to = '', ...rest }: Record<string, string>): Record<string, string> => ({
  ...rest,
  doneFrom: from,
  doneTo: to,
})
