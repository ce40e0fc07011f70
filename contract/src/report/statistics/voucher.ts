import { z } from 'zod'
import { listEndpoint, zId, zSearchOf } from '../../kernel/endpoint'
import type { Fields } from '../../kernel/field'
import { zFen, zFenPositive } from '../../kernel/money'
import { voucherKinds } from '../../promotion/voucher'
import { timeFilters } from '../scope'

const row = z.object({
  id: z.int(),
  name: z.string(),
  code: z.string().nullable(),
  issued: z.int(),
  /** Orders that were paid with one; not those whose money went back and that freed it again. */
  used: z.int(),
  expired: z.int(),
  /** What the orders were made cheaper by, and what they came to after it. */
  givenFen: zFenPositive,
  salesFen: zFenPositive,
  averageFen: zFenPositive.nullable(),
  /** Given of a thousand of the price before it. */
  givenPermille: z.int().nullable(),
  beforeFen: zFen.nullable(),
  changeFen: zFen.nullable(),
  /** The same report one step deeper. */
  drill: zSearchOf.nullable(),
})
export type VoucherRow = z.output<typeof row>

export const voucherGroups = ['plan', 'merchant', 'day', 'month'] as const

/** What coupons and codes brought; what would have been sold without them is for a campaign's control group to tell. */
export const listVoucherStatistics = listEndpoint({
  name: 'report.listVoucherStatistics',
  path: '/api/reports/vouchers',
  access: 'report.read',
  summary: 'Coupons and codes issued, used and expired, with what they gave and sold, by plan, merchant or time',
  filters: {
    ...timeFilters,
    planId: zId.optional(),
    voucherKind: z.enum(voucherKinds).optional(),
    by: z.enum(voucherGroups).default('plan'),
  },
  sorts: ['sales', 'given', 'used', 'change', 'group'],
  item: row,
  sums: { issued: z.int(), used: z.int(), expired: z.int(), givenFen: zFen, salesFen: zFen, beforeFen: zFen },
})

export const voucherStatisticsFields = {
  name: { kind: 'text', to: 'tjfx/yhqtj', search: 'drill' },
  code: { kind: 'code' },
  voucherKind: { kind: 'state', words: 'voucherKind', tones: {} },
  issued: { kind: 'count' },
  used: { kind: 'count' },
  expired: { kind: 'count' },
  givenFen: { kind: 'money' },
  salesFen: { kind: 'money' },
  averageFen: { kind: 'money' },
  givenPermille: { kind: 'permille' },
  beforeFen: { kind: 'money' },
  changeFen: { kind: 'money' },
} satisfies Fields
