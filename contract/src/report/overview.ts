import { z } from 'zod'
import { endpoint, zDay, zInstant } from '../kernel/endpoint'
import { zFen, zFenPositive } from '../kernel/money'
import { businessTypes, paymentMethods } from '../trade/states'
import { saleFilters, scopeFilters } from './scope'

const totals = z.object({
  orders: z.int(),
  paidFen: zFenPositive,
  discountFen: zFenPositive,
  refunds: z.int(),
  refundedFen: zFenPositive,
  netFen: zFen,
  offlineOrders: z.int(),
})
const share = z.object({ orders: z.int(), paidFen: zFenPositive, beforeFen: zFenPositive, trend: z.array(zFen) })
const mover = z.object({ code: z.string(), name: z.string(), paidFen: zFenPositive, beforeFen: zFenPositive })

export const trendUnits = ['hour', 'day', 'week', 'month'] as const

/** Of a single day by hour, else by day, week or month, whichever keeps the line readable. */
export const getOverview = endpoint({
  name: 'report.getOverview',
  method: 'GET',
  path: '/api/reports/overview',
  access: 'order.read',
  input: z.strictObject(saleFilters),
  output: z.object({
    from: zDay,
    to: zDay,
    /** The same number of days before, for comparison. */
    beforeFrom: zDay,
    beforeTo: zDay,
    totals,
    before: totals,
    unit: z.enum(trendUnits),
    /** `at`: the hour, or the first day of what the point stands for. `beforeFen`: the same place, the time before. */
    trend: z.array(
      z.object({
        at: z.string(),
        orders: z.int(),
        paidFen: zFen,
        /** Null by hour: refunds have a day. */
        refundedFen: zFen.nullable(),
        beforeFen: zFen,
      }),
    ),
    methods: z.array(share.extend({ method: z.enum(paymentMethods) })),
    types: z.array(share.extend({ businessType: z.enum(businessTypes) })),
    /** Which sold most differently from the time before. */
    products: z.array(mover),
    machines: z.array(mover),
  }),
  summary: 'Trade of a period in figures: totals, trend, shares and what moved, beside the time before',
})

/** How whole the figures are: who has not been heard of, and what came late. */
export const getCompleteness = endpoint({
  name: 'report.getCompleteness',
  method: 'GET',
  path: '/api/reports/completeness',
  access: 'session',
  input: z.strictObject(scopeFilters),
  output: z.object({
    /** The days that the report is of, and as many before them. */
    from: zDay,
    to: zDay,
    beforeFrom: zDay,
    beforeTo: zDay,
    /** The last day is not over yet. */
    isOpen: z.boolean(),
    machines: z.int(),
    /** Not connected now: they may have sold what nobody knows of yet. */
    silent: z.int(),
    /** Since when the longest of them; null where none is, or one was never heard. */
    silentSince: zInstant.nullable(),
    /** Numbers of theirs that nobody has heard. */
    withGaps: z.int(),
    newestAt: zInstant.nullable(),
    /** Of the hours that the machines were there in the period: in which they were heard; null where they had none. */
    heardPermille: z.int().nullable(),
    /** Sales of the period that were told after the end of their day. */
    lateOrders: z.int(),
    lateFen: zFenPositive,
    /** Days of the period whose books are still open, today not counted. */
    openDays: z.int(),
    days: z.int(),
  }),
  summary: 'Which machines in sight have not been heard of, and what of the period came late',
})
