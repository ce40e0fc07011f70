import { z } from 'zod'
import { listEndpoint, zAnyOf, zSearchOf } from '../../kernel/endpoint'
import type { Fields } from '../../kernel/field'
import { zFen, zFenPositive } from '../../kernel/money'
import { paymentMethods } from '../../trade/states'
import { scopeFilters } from '../scope'

const row = z.object({
  id: z.int(),
  name: z.string(),
  code: z.string().nullable(),
  /** Null where the row is of all of them. */
  method: z.enum(paymentMethods).nullable(),
  orders: z.int(),
  paidFen: zFenPositive,
  refunds: z.int(),
  refundedFen: zFenPositive,
  netFen: zFen,
  /**
   * Of the settlements of these days: fees of the channel and of functions, and what went to the merchant. Null where
   * the reader sees single machines, or asked for one: a settlement is of a merchant.
   */
  feeFen: zFen.nullable(),
  /** Withheld for the tax office. */
  taxFen: zFen.nullable(),
  /** Of it others have a share at the channel. */
  splitFen: zFen.nullable(),
  settledFen: zFen.nullable(),
  /** Net that no settlement holds yet. Cash and codes need none: of them nothing is open. */
  openFen: zFen.nullable(),
  beforeFen: zFen.nullable(),
  changeFen: zFen.nullable(),
  orderSearch: zSearchOf,
  refundSearch: zSearchOf,
  /** The same report one step deeper. */
  drill: zSearchOf.nullable(),
})
export type SettledRow = z.output<typeof row> & { channelFeeFen: number | null; functionFeeFen: number | null }

const sums = {
  orders: z.int(),
  paidFen: zFen,
  refunds: z.int(),
  refundedFen: zFen,
  netFen: zFen,
  feeFen: zFen,
  taxFen: zFen,
  splitFen: zFen,
  settledFen: zFen,
  openFen: zFen,
  beforeFen: zFen,
}
const common = {
  access: 'report.read',
  sorts: ['net', 'orders', 'fee', 'open', 'change', 'group'],
  item: row,
  sums,
} as const
const filters = { ...scopeFilters, method: zAnyOf(paymentMethods).optional() }

export const settlementGroups = ['method', 'day', 'month'] as const

export const listPaymentSettlement = listEndpoint({
  ...common,
  name: 'report.listPaymentSettlement',
  path: '/api/reports/payment-settlement',
  summary: 'What each way of paying collected, gave back, cost and settled, in sum or by day or month',
  filters: { ...filters, by: z.enum(settlementGroups).default('method') },
})

export const merchantPaymentGroups = ['merchant', 'merchantMethod'] as const

export const listMerchantPayments = listEndpoint({
  ...common,
  name: 'report.listMerchantPayments',
  path: '/api/reports/merchant-payments',
  summary: 'Paid orders, refunds, fees and settled amounts of merchants in sight by way of paying',
  filters: { ...filters, by: z.enum(merchantPaymentGroups).default('merchant') },
})

export const subMerchantGroups = ['child', 'merchant', 'month'] as const
const feeParts = { channelFeeFen: zFen, functionFeeFen: zFen }

export const listSubMerchantTrade = listEndpoint({
  ...common,
  name: 'report.listSubMerchantTrade',
  path: '/api/reports/sub-merchant-trade',
  summary:
    'What the merchants right below one, each with all below it, took, gave back, paid in fees and tax, and settled',
  filters: { ...filters, by: z.enum(subMerchantGroups).default('child') },
  item: row.extend({ channelFeeFen: zFen.nullable(), functionFeeFen: zFen.nullable() }),
  sums: { ...sums, ...feeParts },
})

const toOrders = { to: 'jygl/ddgl', search: 'orderSearch' } as const
const toRefunds = { to: 'jygl/tkgl', search: 'refundSearch' } as const
const fields = {
  code: { kind: 'code' },
  method: { kind: 'state', words: 'method', tones: {} },
  orders: { kind: 'count', ...toOrders },
  paidFen: { kind: 'money', ...toOrders },
  refunds: { kind: 'count', ...toRefunds },
  refundedFen: { kind: 'money', ...toRefunds },
  netFen: { kind: 'money' },
  feeFen: { kind: 'money' },
  taxFen: { kind: 'money' },
  splitFen: { kind: 'money' },
  settledFen: { kind: 'money' },
  openFen: { kind: 'money' },
  beforeFen: { kind: 'money' },
  changeFen: { kind: 'money' },
} satisfies Fields

export const paymentSettlementFields = {
  ...fields,
  name: { kind: 'text', to: 'tjfx/zfjstj', search: 'drill' },
} satisfies Fields

export const merchantPaymentFields = {
  ...fields,
  name: { kind: 'text', to: 'tjfx/shzftj', search: 'drill' },
} satisfies Fields

export const subMerchantFields = {
  ...fields,
  channelFeeFen: { kind: 'money' },
  functionFeeFen: { kind: 'money' },
  name: { kind: 'text', to: 'cfgl/zshjy', search: 'drill' },
} satisfies Fields
