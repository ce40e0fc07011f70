import { z } from 'zod'
import { pointKinds } from '../../fleet/point'
import { listEndpoint, zAnyOf, zSearchOf } from '../../kernel/endpoint'
import type { Fields } from '../../kernel/field'
import { zFen, zFenPositive } from '../../kernel/money'
import { scopeFilters } from '../scope'

const row = z.object({
  id: z.int(),
  name: z.string(),
  code: z.string().nullable(),
  orders: z.int(),
  paidFen: zFenPositive,
  refundedFen: zFenPositive,
  netFen: zFen,
  /** Of the pieces whose money stayed, at what they cost when they were sold. */
  costFen: zFen,
  marginFen: zFen,
  /**
   * Of the days of the time, as it was agreed then. Null where the reader sees single machines, or asked for one: rent
   * is of a point.
   */
  rentFen: zFen.nullable(),
  /** Margin less rent. */
  profitFen: zFen.nullable(),
  /** Of a thousand of net; null where nothing is left. */
  profitPermille: z.int().nullable(),
  beforeFen: zFen.nullable(),
  changeFen: zFen.nullable(),
  orderSearch: zSearchOf,
  pointSearch: zSearchOf,
})
export type PointRow = z.output<typeof row>

export const pointTradeGroups = ['point', 'pointKind', 'city', 'merchant', 'month'] as const

export const listPointTrade = listEndpoint({
  name: 'report.listPointTrade',
  path: '/api/reports/point-trade',
  access: 'report.read',
  summary: 'Sales, cost of goods, rent and what is left of them, by point, its kind, city, merchant or month',
  filters: {
    ...scopeFilters,
    pointKind: zAnyOf(pointKinds).optional(),
    by: z.enum(pointTradeGroups).default('point'),
  },
  sorts: ['profit', 'profitLeast', 'net', 'rent', 'change', 'group'],
  item: row,
  sums: {
    orders: z.int(),
    paidFen: zFen,
    refundedFen: zFen,
    netFen: zFen,
    costFen: zFen,
    marginFen: zFen,
    rentFen: zFen,
    profitFen: zFen,
    beforeFen: zFen,
  },
})

const toOrders = { to: 'jygl/ddgl', search: 'orderSearch' } as const

export const pointTradeFields = {
  name: { kind: 'text', to: 'shj/dwgl', search: 'pointSearch' },
  code: { kind: 'code' },
  pointKind: { kind: 'state', words: 'pointKind', tones: {} },
  orders: { kind: 'count', ...toOrders },
  paidFen: { kind: 'money', ...toOrders },
  refundedFen: { kind: 'money' },
  netFen: { kind: 'money' },
  costFen: { kind: 'money' },
  marginFen: { kind: 'money' },
  rentFen: { kind: 'money' },
  profitFen: { kind: 'money' },
  profitPermille: { kind: 'permille' },
  beforeFen: { kind: 'money' },
  changeFen: { kind: 'money' },
} satisfies Fields
