import { z } from 'zod'
import { listEndpoint, zId, zSearch, zSearchOf } from '../../kernel/endpoint'
import type { Fields } from '../../kernel/field'
import { zFen, zFenPositive } from '../../kernel/money'
import { timeFilters } from '../scope'

const row = z.object({
  id: z.int(),
  name: z.string(),
  code: z.string().nullable(),
  /** Put away in the time; one that was reversed since is none. */
  receipts: z.int(),
  pieces: z.int(),
  amountFen: zFenPositive,
  /** Sent back to suppliers in the time, at what they were bought for. */
  returnedPieces: z.int(),
  returnedFen: zFenPositive,
  boughtFen: zFen,
  /** What a piece came to on average, and at the cheapest and dearest line; null where none came. */
  pieceFen: zFenPositive.nullable(),
  lowestFen: zFenPositive.nullable(),
  highestFen: zFenPositive.nullable(),
  /** The average of the time before. */
  pieceBeforeFen: zFenPositive.nullable(),
  beforeFen: zFen.nullable(),
  changeFen: zFen.nullable(),
  receiptSearch: zSearchOf,
  /** The same report one step deeper. */
  drill: zSearchOf.nullable(),
})
export type PurchaseRow = z.output<typeof row>

export const purchaseGroups = ['supplier', 'product', 'merchant', 'month'] as const

export const listPurchaseStatistics = listEndpoint({
  name: 'report.listPurchaseStatistics',
  path: '/api/reports/purchases',
  access: 'report.read',
  summary: 'Goods received from suppliers and sent back, with what a piece came to, by supplier, product or month',
  filters: {
    ...timeFilters,
    supplierId: zId.optional(),
    productCode: zSearch.optional(),
    by: z.enum(purchaseGroups).default('supplier'),
  },
  sorts: ['bought', 'pieces', 'returned', 'change', 'group'],
  item: row,
  sums: {
    receipts: z.int(),
    pieces: z.int(),
    amountFen: zFen,
    returnedPieces: z.int(),
    returnedFen: zFen,
    boughtFen: zFen,
    beforeFen: zFen,
  },
})

const toReceipts = { to: 'jxcgl/rkdj', search: 'receiptSearch' } as const

export const purchaseStatisticsFields = {
  name: { kind: 'text', to: 'tjfx/cgtj', search: 'drill' },
  code: { kind: 'code' },
  receipts: { kind: 'count', ...toReceipts },
  pieces: { kind: 'count', ...toReceipts },
  amountFen: { kind: 'money', ...toReceipts },
  returnedPieces: { kind: 'count' },
  returnedFen: { kind: 'money' },
  boughtFen: { kind: 'money' },
  pieceFen: { kind: 'money' },
  lowestFen: { kind: 'money' },
  highestFen: { kind: 'money' },
  pieceBeforeFen: { kind: 'money' },
  beforeFen: { kind: 'money' },
  changeFen: { kind: 'money' },
} satisfies Fields
