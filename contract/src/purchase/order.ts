import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { goodsReceiptState } from './receipt'
import { supplierNameField, supplierState } from './supplier'

/**
 * What is ordered from a supplier. Above a limit another person than its maker agrees; what has come is the sum of its
 * receipts, by which it moves on, and back where one of them is reversed.
 */
export const purchaseOrderState = stateTable({
  initial: 'draft',
  states: ['draft', 'submitted', 'approved', 'sent', 'partly', 'received', 'closed', 'cancelled'],
  moves: {
    submit: { from: ['draft'], to: 'submitted' },
    /** Nobody has to agree to so little. */
    pass: { from: ['draft'], to: 'approved' },
    approve: { from: ['submitted'], to: 'approved' },
    reject: { from: ['submitted'], to: 'draft' },
    send: { from: ['approved'], to: 'sent' },
    comePartly: { from: ['sent', 'partly', 'received'], to: 'partly' },
    comeWhole: { from: ['sent', 'partly'], to: 'received' },
    goBack: { from: ['partly', 'received'], to: 'sent' },
    close: { from: ['partly', 'received'], to: 'closed' },
    cancel: { from: ['draft', 'submitted', 'approved', 'sent'], to: 'cancelled' },
  },
  sets: {
    /** Somebody has to act on it yet. */
    open: ['submitted', 'approved', 'sent', 'partly'],
    /** Goods are awaited. */
    awaited: ['sent', 'partly'],
    over: ['received', 'closed', 'cancelled'],
    ended: ['closed', 'cancelled'],
  },
})
export type PurchaseOrderState = (typeof purchaseOrderState.states)[number]

export const sendingWays = ['print', 'mail', 'message', 'phone'] as const

export const purchaseOrderRefusals = defineRefusals('purchase', {
  'purchaseOrder.state': 409,
  'purchaseOrder.ownRequest': 403,
  'purchaseOrder.merchants': 422,
  /** A product stands in it twice, is of another supplier, or is ordered from it no longer. */
  'purchaseOrder.line': 422,
  /** No price was typed and none is in force. */
  'purchaseOrder.noPrice': 422,
  'purchaseOrder.due': 422,
  /** Something has come of it, or waits to be taken in. */
  'purchaseOrder.came': 409,
  /** What is missing is given up only with a reason. */
  'purchaseOrder.short': 422,
})

/** Of a line: below what the supplier delivers at least, dearer than its price list. */
export const lineMarks = ['belowMinimum', 'dearer'] as const
export const orderMarks = ['overdue', ...lineMarks] as const

const order = z.object({
  id: z.int(),
  no: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  supplierId: z.int(),
  supplierName: z.string(),
  warehouseName: z.string(),
  state: z.enum(purchaseOrderState.states),
  marks: z.array(z.enum(orderMarks)),
  lineCount: z.int(),
  pieces: z.int(),
  received: z.int(),
  totalFen: zFenPositive,
  dueOn: zDay,
  /** Until it is due, by the merchant's calendar; null once nothing is awaited. */
  daysLeft: z.int().nullable(),
  maker: z.string(),
  madeAt: zInstant,
  approver: z.string().nullable(),
  approvedAt: zInstant.nullable(),
  sentHow: z.enum(sendingWays).nullable(),
  sentAt: zInstant.nullable(),
})
export type PurchaseOrder = z.output<typeof order>

/** Also what receipts are written against. */
export const listPurchaseOrders = listEndpoint({
  name: 'purchase.listPurchaseOrders',
  path: '/api/purchase-orders',
  access: 'purchaseOrder.read',
  summary: 'What merchants in sight have ordered, newest first',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(purchaseOrderState.states).optional(),
    due: z.enum(['overdue', 'week']).optional(),
    orderNo: zSearch.optional(),
    awaited: z.enum(['yes']).optional(),
    supplierId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest', 'due'],
  item: order,
  sums: { totalFen: zFen },
})

export const purchaseOrderFields = {
  no: { kind: 'code' },
  supplierName: supplierNameField,
  state: stateField('purchaseOrderState', purchaseOrderState, {
    draft: 'idle',
    submitted: 'warn',
    approved: 'busy',
    sent: 'busy',
    partly: 'warn',
    received: 'good',
    closed: 'idle',
    cancelled: 'idle',
  }),
  marks: { kind: 'states', words: 'orderMark', tones: { overdue: 'bad', belowMinimum: 'warn', dearer: 'warn' } },
  totalFen: { kind: 'money' },
  pieces: { kind: 'count' },
  received: { kind: 'count' },
  lineCount: { kind: 'count' },
  warehouseName: { kind: 'text' },
  dueOn: { kind: 'day' },
  daysLeft: { kind: 'count' },
  maker: { kind: 'text' },
  madeAt: { kind: 'dateTime' },
  approver: { kind: 'text' },
  approvedAt: { kind: 'dateTime' },
  sentHow: { kind: 'state', words: 'sentHow', tones: {} },
  sentAt: { kind: 'dateTime' },
  merchantName: { kind: 'text' },
} satisfies Fields

export const summarisePurchaseOrders = endpoint({
  name: 'purchase.summarisePurchaseOrders',
  method: 'GET',
  path: '/api/purchase-orders/summary',
  access: 'purchaseOrder.read',
  input: z.strictObject({}),
  output: z.object({ submitted: z.int(), approved: z.int(), overdue: z.int(), partly: z.int() }),
  summary: 'How many orders wait for approval, for being sent and for goods',
})

const line = z.object({
  line: z.int(),
  productId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  specification: z.string(),
  isMedicine: z.boolean(),
  supplierProductId: z.int(),
  supplierCode: z.string(),
  packs: z.int(),
  packUnits: z.int(),
  pieces: z.int(),
  /** Of a pack, with tax: what we order at, and what the price list asked when the line was written. */
  priceFen: zFen,
  listFen: zFen.nullable(),
  taxPermille: z.int(),
  amountFen: zFen,
  minimumPacks: z.int(),
  marks: z.array(z.enum(lineMarks)),
  /** In pieces: taken in, and counted on a receipt that waits for another person. */
  received: z.int(),
  waiting: z.int(),
})
export type PurchaseLine = z.output<typeof line>

export const getPurchaseOrder = endpoint({
  name: 'purchase.getPurchaseOrder',
  method: 'GET',
  path: '/api/purchase-orders/{id}',
  access: 'purchaseOrder.read',
  input: z.strictObject({ id: zId }),
  output: order.extend({
    version: z.int(),
    warehouseId: z.int(),
    warehouseAddress: z.string(),
    supplierState: z.enum(supplierState.states),
    supplierContact: z.string(),
    supplierPhone: z.string(),
    supplierAddress: z.string(),
    termsDays: z.int(),
    note: z.string(),
    endReason: z.string(),
    /** Which it was made by; null where somebody wrote it. */
    plan: z.object({ id: z.int(), no: z.string() }).nullable(),
    /** Of the total. */
    taxFen: zFen,
    /** Why nothing may be ordered now, as the refusal is called. */
    fault: z.enum(['supplier.papers', 'supplier.notQualified', 'supplier.scope']).nullable(),
    /** Whether the asker may approve it, as far as who made it says. */
    mayApprove: z.boolean(),
    lines: z.array(line),
    receipts: z.array(
      z.object({
        id: z.int(),
        no: z.string(),
        state: z.enum(goodsReceiptState.states),
        pieces: z.int(),
        at: zInstant,
        by: z.string(),
      }),
    ),
    story: z.array(
      z.object({ id: z.int(), at: zInstant, verb: z.string(), who: z.string().nullable(), note: z.string() }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One order with its lines, what has come of each, and its story',
})

const zLines = z
  .array(
    z.strictObject({
      supplierProductId: zId,
      packs: z.coerce.number().int().min(1).max(100_000),
      /** Empty: as the price list has it for so many packs. */
      priceFen: z.int().min(1).max(1_000_000_000).nullable().default(null),
    }),
  )
  .min(1)
  .max(100)

const said = { warehouseId: zId, dueOn: zDay.nullable().default(null), note: zLine(200).default(''), lines: zLines }
const written = { method: 'POST' as const, access: 'purchaseOrder.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(purchaseOrderState.states) })
const bySupplier = ['supplier.papers', 'supplier.notQualified', 'supplier.scope'] as const
const byLines = ['purchaseOrder.merchants', 'purchaseOrder.line', 'purchaseOrder.noPrice', 'purchaseOrder.due'] as const
const refusals = ['request.notFound', 'purchaseOrder.state'] as const

export const addPurchaseOrder = endpoint({
  ...written,
  name: 'purchase.addPurchaseOrder',
  path: '/api/purchase-orders',
  input: z.strictObject({ supplierId: zId, ...said }),
  output: z.object({ id: z.int(), no: z.string() }),
  refusals: ['request.notFound', 'warehouse.state', ...byLines],
  summary: 'Draft an order; without a day it is due when the slowest of its goods can come',
})

export const editPurchaseOrder = endpoint({
  ...written,
  name: 'purchase.editPurchaseOrder',
  path: '/api/purchase-orders/{id}/edit',
  input: z.strictObject({ id: zId, version: z.int().positive(), ...said }),
  output: changed,
  refusals: [...refusals, 'edit.stale', 'warehouse.state', ...byLines],
  summary: 'Change a draft; prices are taken from the list anew where none is typed',
})

const ofOne = { ...written, input: z.strictObject({ id: zId }), output: changed }
const withReason = { ...written, input: z.strictObject({ id: zId, reason: zNeeded(200) }), output: changed }

export const submitPurchaseOrder = endpoint({
  ...ofOne,
  name: 'purchase.submitPurchaseOrder',
  path: '/api/purchase-orders/{id}/submit',
  refusals: [...refusals, ...bySupplier],
  summary: 'It is to be ordered: up to the limit it is approved by that, above it another person is asked',
})

export const approvePurchaseOrder = endpoint({
  ...ofOne,
  name: 'purchase.approvePurchaseOrder',
  access: 'purchaseOrder.approve',
  path: '/api/purchase-orders/{id}/approve',
  refusals: [...refusals, 'purchaseOrder.ownRequest', ...bySupplier],
  summary: 'Agree to an order that another person made',
})

export const rejectPurchaseOrder = endpoint({
  ...withReason,
  name: 'purchase.rejectPurchaseOrder',
  path: '/api/purchase-orders/{id}/reject',
  refusals,
  summary: 'It is a draft again, and why: by who would have to agree, or by its maker',
})

export const sendPurchaseOrder = endpoint({
  ...written,
  name: 'purchase.sendPurchaseOrder',
  path: '/api/purchase-orders/{id}/send',
  input: z.strictObject({ id: zId, how: z.enum(sendingWays), note: zLine(200).default('') }),
  output: changed,
  refusals: [...refusals, ...bySupplier],
  summary: 'Say how the supplier was told; from now on its goods are awaited',
})

export const closePurchaseOrder = endpoint({
  ...written,
  name: 'purchase.closePurchaseOrder',
  path: '/api/purchase-orders/{id}/close',
  input: z.strictObject({ id: zId, reason: zLine(200).default('') }),
  output: changed,
  refusals: [...refusals, 'purchaseOrder.came', 'purchaseOrder.short'],
  summary: 'Nothing more is awaited of it; where some is missing, why',
})

export const cancelPurchaseOrder = endpoint({
  ...withReason,
  name: 'purchase.cancelPurchaseOrder',
  path: '/api/purchase-orders/{id}/cancel',
  refusals: [...refusals, 'purchaseOrder.came'],
  summary: 'It is not to be, and why; only before anything has come',
})
