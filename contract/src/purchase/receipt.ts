import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { supplierNameField } from './supplier'

/**
 * Goods that came. Medicine, and what nobody had ordered, moves no stock before another person has looked at it. A
 * mistake is reversed as a whole and written anew.
 */
export const goodsReceiptState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'putAway', 'turnedDown', 'reversed'],
  moves: {
    /** Nobody else has to look at it. */
    pass: { from: ['waiting'], to: 'putAway' },
    accept: { from: ['waiting'], to: 'putAway' },
    turnDown: { from: ['waiting'], to: 'turnedDown' },
    reverse: { from: ['putAway'], to: 'reversed' },
  },
  /** Their pieces count on the order. */
  sets: { standing: ['waiting', 'putAway'], bought: ['putAway'] },
})

export const goodsReceiptRefusals = defineRefusals('purchase', {
  'receipt.state': 409,
  'receipt.ownRequest': 403,
  /** More than was ordered, over all receipts of the line. */
  'receipt.over': 409,
  /** A product that the order, or the supplier, does not have. */
  'receipt.product': 422,
  'receipt.supplier': 422,
  'receipt.nothing': 422,
  'receipt.twice': 422,
  'receipt.batch': 422,
  'receipt.dates': 422,
  'receipt.expired': 422,
  'receipt.temperature': 422,
  'receipt.warm': 422,
  'receipt.reason': 422,
  'receipt.codes': 422,
  'receipt.noPrice': 422,
  /** The batch is known with another last day. */
  'receipt.batchDates': 409,
  'receipt.batchStopped': 409,
  'receipt.noteTaken': 409,
  /** It is paid or on an invoice: a return is another document then. */
  'receipt.paid': 409,
  /** Some of it went back to the supplier, or is to. */
  'receipt.returned': 409,
})

export const receiptMarks = ['short', 'refused', 'codeless'] as const

const receipt = z.object({
  id: z.int(),
  no: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  supplierId: z.int(),
  supplierName: z.string(),
  orderNo: z.string().nullable(),
  warehouseName: z.string(),
  state: z.enum(goodsReceiptState.states),
  marks: z.array(z.enum(receiptMarks)),
  deliveryNote: z.string(),
  pieces: z.int(),
  refused: z.int(),
  valueFen: zFenPositive,
  receiver: z.string(),
  receivedAt: zInstant,
  decider: z.string().nullable(),
  decidedAt: zInstant.nullable(),
})
export type GoodsReceipt = z.output<typeof receipt>

export const listGoodsReceipts = listEndpoint({
  name: 'purchase.listGoodsReceipts',
  path: '/api/goods-receipts',
  access: 'goodsReceipt.read',
  summary: 'What merchants in sight have received, newest first',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(goodsReceiptState.states).optional(),
    supplierId: zId.optional(),
    orderNo: zSearch.optional(),
    productCode: zSearch.optional(),
    /** Days on which the goods were put away, as the statistics count them. */
    doneFrom: zDay.optional(),
    doneTo: zDay.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: receipt,
  sums: { valueFen: zFen },
})

export const goodsReceiptFields = {
  no: { kind: 'code' },
  supplierName: supplierNameField,
  orderNo: { kind: 'ref', to: 'jxcgl/cgd', by: 'orderNo' },
  state: stateField('goodsReceiptState', goodsReceiptState, {
    waiting: 'warn',
    putAway: 'good',
    turnedDown: 'idle',
    reversed: 'idle',
  }),
  marks: { kind: 'states', words: 'receiptMark', tones: { short: 'warn', refused: 'warn', codeless: 'warn' } },
  deliveryNote: { kind: 'code' },
  pieces: { kind: 'count' },
  refused: { kind: 'count' },
  valueFen: { kind: 'money' },
  warehouseName: { kind: 'text' },
  receiver: { kind: 'text' },
  receivedAt: { kind: 'dateTime' },
  decider: { kind: 'text' },
  decidedAt: { kind: 'dateTime' },
  merchantName: { kind: 'text' },
} satisfies Fields

const said = z.object({
  productId: z.int(),
  batch: z.string(),
  producedOn: zDay.nullable(),
  expiresOn: zDay.nullable(),
  /** As the delivery note says; what was counted may differ. */
  announced: z.int(),
  /** Good pieces, which are put away and owed for. */
  counted: z.int(),
  damaged: z.int(),
  refused: z.int(),
  reason: z.string(),
  temperatureC: z.number().nullable(),
  codes: z.array(z.string()),
})

export const getGoodsReceipt = endpoint({
  name: 'purchase.getGoodsReceipt',
  method: 'GET',
  path: '/api/goods-receipts/{id}',
  access: 'goodsReceipt.read',
  input: z.strictObject({ id: zId }),
  output: receipt.extend({
    orderId: z.int().nullable(),
    note: z.string(),
    endReason: z.string(),
    /** Why another person looks at it first. */
    second: z.array(z.enum(['medicine', 'noOrder'])),
    /** Whether the asker may accept it, or reverse it, as far as who did what says. */
    mayAccept: z.boolean(),
    mayReverse: z.boolean(),
    lines: z.array(
      said.extend({
        line: z.int(),
        productCode: z.string(),
        productName: z.string(),
        specification: z.string(),
        isMedicine: z.boolean(),
        /** Days of shelf life that were left when it came. */
        daysLeft: z.int().nullable(),
        priceFen: zFen,
        packUnits: z.int(),
        costFen: zFen,
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One receipt with what came of each batch',
})
export type ReceiptLine = z.output<typeof getGoodsReceipt.output>['lines'][number]

const count = z.coerce.number().int().min(0).max(1_000_000)
const zLines = z
  .array(
    z.strictObject({
      productId: zId,
      batch: zLine(120).default(''),
      producedOn: zDay.nullable().default(null),
      expiresOn: zDay.nullable().default(null),
      announced: count.nullable().default(null),
      counted: count,
      damaged: count.default(0),
      refused: count.default(0),
      reason: zLine(200).default(''),
      temperatureC: z.coerce.number().min(-60).max(80).multipleOf(0.1).nullable().default(null),
      codes: z.array(z.string().max(200)).max(2_000).default([]),
    }),
  )
  .min(1)
  .max(100)

const written = { method: 'POST' as const, access: 'goodsReceipt.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(goodsReceiptState.states) })
const ofGoods = [
  'receipt.batchDates',
  'receipt.batchStopped',
  'receipt.codes',
  'receipt.expired',
  'supplier.papers',
  'supplier.notQualified',
  'supplier.scope',
] as const

export const addGoodsReceipt = endpoint({
  ...written,
  name: 'purchase.addGoodsReceipt',
  path: '/api/goods-receipts',
  input: z.strictObject({
    /** What was ordered; without it the supplier is named, and its price list counts. */
    orderId: zId.nullable().default(null),
    supplierId: zId.nullable().default(null),
    warehouseId: zId,
    deliveryNote: zLine(60).default(''),
    lines: zLines,
    note: zLine(200).default(''),
  }),
  output: z.object({ id: z.int(), no: z.string(), state: z.enum(goodsReceiptState.states) }),
  refusals: [
    'request.notFound',
    'purchaseOrder.state',
    'purchaseOrder.merchants',
    'warehouse.state',
    'warehouse.storage',
    ...ofGoods,
    'receipt.over',
    'receipt.product',
    'receipt.supplier',
    'receipt.nothing',
    'receipt.twice',
    'receipt.batch',
    'receipt.dates',
    'receipt.temperature',
    'receipt.warm',
    'receipt.reason',
    'receipt.noPrice',
    'receipt.noteTaken',
  ],
  summary: 'Write down what came; it is put away at once unless another person has to look at it',
})

export const acceptGoodsReceipt = endpoint({
  ...written,
  name: 'purchase.acceptGoodsReceipt',
  path: '/api/goods-receipts/{id}/accept',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'receipt.state', 'receipt.ownRequest', ...ofGoods],
  summary: 'Another person has looked at it: it is put away, and owed for',
})

const withReason = { ...written, input: z.strictObject({ id: zId, reason: zNeeded(200) }), output: changed }

export const turnDownGoodsReceipt = endpoint({
  ...withReason,
  name: 'purchase.turnDownGoodsReceipt',
  path: '/api/goods-receipts/{id}/turn-down',
  refusals: ['request.notFound', 'receipt.state'],
  summary: 'It is not taken in, and why; nothing has moved',
})

export const reverseGoodsReceipt = endpoint({
  ...withReason,
  name: 'purchase.reverseGoodsReceipt',
  path: '/api/goods-receipts/{id}/reverse',
  refusals: [
    'request.notFound',
    'receipt.state',
    'receipt.ownRequest',
    'receipt.paid',
    'receipt.returned',
    'warehouse.less',
  ],
  summary: 'It was written wrongly: all of it goes back, as far as it still lies there, and is no longer owed',
})
