import { z } from 'zod'
import { listEndpoint, zSearchOf } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { saleFilters } from './scope'

export const salesRow = z.object({
  id: z.int(),
  /** Of the day, month, merchant, machine, point, hospital, method or kind of business; in the caller's language. */
  name: z.string(),
  code: z.string().nullable(),
  orders: z.int(),
  paidFen: zFenPositive,
  discountFen: zFenPositive,
  refunds: z.int(),
  refundedFen: zFenPositive,
  netFen: zFen,
  /** What an order came to; null without one. */
  averageFen: zFenPositive.nullable(),
  /** Told later than they were sold, because the machine was offline. */
  offlineOrders: z.int(),
  /** Net of the same length of time before; null where the rows are times themselves. */
  beforeFen: zFen.nullable(),
  changeFen: zFen.nullable(),
  orderSearch: zSearchOf,
  refundSearch: zSearchOf,
})
export type SalesRow = z.output<typeof salesRow>

export const salesSums = {
  orders: z.int(),
  paidFen: zFen,
  discountFen: zFen,
  refunds: z.int(),
  refundedFen: zFen,
  netFen: zFen,
  /** Net of the time before; 0 where the rows are times themselves. */
  beforeFen: zFen,
}

export const summaryGroups = ['day', 'week', 'month', 'merchant', 'machine', 'point', 'method'] as const

/** Refunds count on the day on which they were confirmed, sales on the day of the sale. */
export const listSalesSummary = listEndpoint({
  name: 'report.listSalesSummary',
  path: '/api/reports/sales',
  access: 'order.read',
  summary: 'Paid orders and refunds of machines in sight by day, week, month, merchant, machine, point or method',
  filters: { ...saleFilters, by: z.enum(summaryGroups).default('day') },
  sorts: ['group', 'net', 'orders', 'refunded', 'change'],
  item: salesRow,
  sums: salesSums,
})

export const typeGroups = ['businessType', 'day', 'month', 'merchant', 'machine', 'point'] as const

export const listBusinessTypeSales = listEndpoint({
  name: 'report.listBusinessTypeSales',
  path: '/api/reports/business-types',
  access: 'order.read',
  summary: 'Paid orders and refunds of machines in sight by kind of business',
  filters: { ...saleFilters, by: z.enum(typeGroups).default('businessType') },
  sorts: ['group', 'net', 'orders', 'refunded', 'change'],
  item: salesRow,
  sums: salesSums,
})

const toOrders = { to: 'jygl/ddgl', search: 'orderSearch' } as const
const toRefunds = { to: 'jygl/tkgl', search: 'refundSearch' } as const

export const salesFields = {
  name: { kind: 'text' },
  code: { kind: 'code' },
  orders: { kind: 'count', ...toOrders },
  paidFen: { kind: 'money', ...toOrders },
  discountFen: { kind: 'money' },
  refunds: { kind: 'count', ...toRefunds },
  refundedFen: { kind: 'money', ...toRefunds },
  netFen: { kind: 'money' },
  averageFen: { kind: 'money' },
  offlineOrders: { kind: 'count' },
  beforeFen: { kind: 'money' },
  changeFen: { kind: 'money' },
} satisfies Fields
