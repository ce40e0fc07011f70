import { z } from 'zod'
import { endpoint, listEndpoint, zDay, zSearchOf } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { paymentMethods } from '../trade/states'
import { trendUnits } from './overview'
import { paidFilters } from './scope'

const point = z.object({ orders: z.int(), paidFen: zFenPositive })

/** What each method brought over time; `at` of a place as in the overview, its days in `from` and `to`. */
export const getPayments = endpoint({
  name: 'report.getPayments',
  method: 'GET',
  path: '/api/reports/payments-over-time',
  access: 'report.read',
  input: z.strictObject(paidFilters),
  output: z.object({
    unit: z.enum(trendUnits),
    places: z.array(z.object({ at: z.string(), from: zDay, to: zDay })),
    methods: z.array(
      z.object({
        method: z.enum(paymentMethods),
        ...point.shape,
        beforeOrders: z.int(),
        beforeFen: zFenPositive,
        /** One a place. */
        trend: z.array(point),
      }),
    ),
  }),
  summary: 'Paid orders of machines in sight by payment method and time, beside the time before',
})

const row = z.object({
  id: z.int(),
  /** The day or month; of the whole time the method. */
  name: z.string(),
  method: z.enum(paymentMethods),
  orders: z.int(),
  paidFen: zFenPositive,
  /** Of a thousand of the amount of the whole time; null where nothing was paid. */
  sharePermille: z.int().nullable(),
  refunds: z.int(),
  refundedFen: zFenPositive,
  netFen: zFen,
  averageFen: zFenPositive.nullable(),
  /** Paid in the time before; null where the rows are times themselves. */
  beforeFen: zFen.nullable(),
  changeFen: zFen.nullable(),
  orderSearch: zSearchOf,
  refundSearch: zSearchOf,
  /** The same method day by day. */
  drill: zSearchOf,
})
export type PaymentRow = z.output<typeof row>

export const paymentGroups = ['method', 'day', 'month'] as const

export const listPayments = listEndpoint({
  name: 'report.listPayments',
  path: '/api/reports/payments',
  access: 'report.read',
  summary: 'Paid orders and refunds of machines in sight by payment method, in sum or by day or month',
  filters: { ...paidFilters, by: z.enum(paymentGroups).default('method') },
  sorts: ['paid', 'orders', 'group', 'change'],
  item: row,
  sums: { orders: z.int(), paidFen: zFen, refunds: z.int(), refundedFen: zFen, netFen: zFen },
})

const toOrders = { to: 'jygl/ddgl', search: 'orderSearch' } as const
const toRefunds = { to: 'jygl/tkgl', search: 'refundSearch' } as const

export const paymentRowFields = {
  name: { kind: 'text', to: 'home/syzfqq', search: 'drill' },
  method: { kind: 'state', words: 'method', tones: {} },
  orders: { kind: 'count', ...toOrders },
  paidFen: { kind: 'money', ...toOrders },
  sharePermille: { kind: 'permille' },
  refunds: { kind: 'count', ...toRefunds },
  refundedFen: { kind: 'money', ...toRefunds },
  netFen: { kind: 'money' },
  averageFen: { kind: 'money' },
  beforeFen: { kind: 'money' },
  changeFen: { kind: 'money' },
} satisfies Fields
