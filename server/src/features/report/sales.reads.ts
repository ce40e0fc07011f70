import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { listSalesSummary, SalesRow } from '@aisle/contract/report/sales'
import { businessTypes, paymentMethods } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, mapRows } from '../../kernel/list'
import type { Sight } from '../../kernel/scope'
import type { Family, Scope } from './figures.source'
import {
  byChange,
  dayGroup,
  difference,
  type Group,
  grouped,
  hospitalGroup,
  inOrder,
  itsPoint,
  largest,
  machineGroup,
  merchantGroup,
  monthGroup,
  numberOf,
  pointGroup,
  type Report,
  total,
  weekGroup,
  wordGroup,
} from './grouped.reads'
import { daysBehind, type Period } from './period.rules'

export type SalesFilter = Omit<InputOf<typeof listSalesSummary>, 'by' | 'sort'> & {
  by: keyof typeof groups
  sort: string
  /** Only what was sold at points of hospitals. */
  isAtHospital?: boolean
}

const groups = {
  day: dayGroup,
  week: weekGroup,
  month: monthGroup,
  merchant: merchantGroup,
  machine: machineGroup,
  point: pointGroup,
  hospital: hospitalGroup,
  building: {
    key: numberOf(sql`at.hospital_id || '/' || at.building`),
    name: sql`coalesce(nullif(g.building, ''), '–')`,
    code: sql`(select name from hospital where id = g."hospitalId")`,
    isByMachine: true,
  },
  method: wordGroup(paymentMethods, 'method'),
  businessType: wordGroup(businessTypes, 'business_type'),
} satisfies Record<string, Group>

const report = ({ by }: SalesFilter): Report & { family: Family } => ({
  family: 'figures',
  sumsBefore: true,
  ...(by === 'hospital' || by === 'building' ? { with: itsPoint } : {}),
  ...(by === 'building' && { row: { building: sql`min(at.building)`, hospitalId: sql`min(at.hospital_id)` } }),
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
    group: inOrder('times' in groups[by]),
    net: largest('netFen'),
    orders: largest('orders'),
    refunded: largest('refundedFen'),
    change: byChange,
  },
})

export const salesScope = (sight: Sight, filter: Omit<SalesFilter, 'by' | 'sort' | 'pageSize' | 'cursor'>): Scope => ({
  sight,
  merchantId: filter.merchantId,
  machineCode: filter.machineCode,
  where: [
    allOf([
      isAnyOf(sql`method`, filter.method),
      isAnyOf(sql`business_type`, filter.businessType),
      filter.pointId && sql`point_id = ${filter.pointId}`,
      filter.hospitalId && sql`point_id in (select id from point where hospital_id = ${filter.hospitalId})`,
      filter.isAtHospital && sql`point_id in (select id from point where hospital_id is not null)`,
    ]),
  ],
  isByMachine: Boolean(filter.pointId ?? filter.hospitalId ?? filter.isAtHospital),
})

type Found = Omit<SalesRow, 'orderSearch' | 'refundSearch'> & { building?: string; hospitalId?: number }

/** @param wordOf a payment method or kind of business in the caller's language */
export async function listSalesIn(
  db: Reader,
  sight: Sight,
  filter: SalesFilter,
  period: Period,
  wordOf: (kind: 'method' | 'businessType', key: string) => string,
): Promise<Listing<SalesRow>> {
  const group = groups[filter.by]
  const scope = salesScope(sight, filter)
  const list = await grouped<Found>(
    db,
    report(filter),
    { ...group, isByMachine: 'isByMachine' in group || (scope.isByMachine ?? false) },
    { period, scope, sort: filter.sort },
  )
  const isWord = filter.by === 'method' || filter.by === 'businessType'
  return mapRows(list, (rows) =>
    rows.map(({ building: _, hospitalId, ...row }) => {
      const search = searchOf(filter, period, { ...row, hospitalId })
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
function searchOf(filter: SalesFilter, period: Period, row: Found): Record<string, string> {
  const { merchantId, machineCode, pointId, hospitalId, method, businessType, by } = filter
  const given = { merchantId, machineCode, pointId, hospitalId, method, businessType }
  const set = Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))
  const base: Record<string, string> = { from: period.from, to: period.to, ...Object.fromEntries(set) }
  if (by === 'day' || by === 'week' || by === 'month') return { ...base, ...daysBehind(by, row.name, period) }
  if (by === 'machine') return { ...base, machineCode: row.code ?? '' }
  if (by === 'method' || by === 'businessType') return { ...base, [by]: row.name }
  if (by === 'merchant') return { ...base, sellerId: String(row.id) }
  // Buildings have no list of their orders: those of the hospital are the nearest.
  if (by === 'building') return { ...base, hospitalId: String(row.hospitalId) }
  return { ...base, [by === 'hospital' ? 'hospitalId' : 'pointId']: String(row.id) }
}

/** Refunds count on the days on which they were done. */
export const refundSearchOf = ({ from = '', to = '', ...rest }: Record<string, string>): Record<string, string> => ({
  ...rest,
  doneFrom: from,
  doneTo: to,
})
