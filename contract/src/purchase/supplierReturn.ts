import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { supplierNameField } from './supplier'

/** Goods that go back to who brought them. They leave when they are sent; what is owed falls when they are credited. */
export const supplierReturnState = stateTable({
  initial: 'draft',
  states: ['draft', 'approved', 'sent', 'credited', 'cancelled'],
  moves: {
    approve: { from: ['draft'], to: 'approved' },
    send: { from: ['approved'], to: 'sent' },
    credit: { from: ['sent'], to: 'credited' },
    /** What was sent and not taken is in its warehouse again. */
    cancel: { from: ['draft', 'approved', 'sent'], to: 'cancelled' },
  },
  sets: { gone: ['sent', 'credited'] },
})
export type SupplierReturnState = (typeof supplierReturnState.states)[number]

export const returnReasons = ['expiring', 'quality', 'recalled', 'wrong', 'other'] as const

export const supplierReturnRefusals = defineRefusals('purchase', {
  'supplierReturn.state': 409,
  'supplierReturn.ownRequest': 403,
  'supplierReturn.merchants': 422,
  'supplierReturn.line': 422,
  /** More than was bought of it from this supplier and has not gone back yet. */
  'supplierReturn.bought': 409,
  /** More than the goods had cost. */
  'supplierReturn.credit': 422,
  'supplierReturn.creditNoteTaken': 409,
})

const item = z.object({
  id: z.int(),
  no: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  supplierId: z.int(),
  supplierName: z.string(),
  fromName: z.string(),
  state: z.enum(supplierReturnState.states),
  why: z.enum(returnReasons),
  note: z.string(),
  pieces: z.int(),
  /** What the goods had cost, which is what is asked back. */
  totalFen: zFenPositive,
  creditedFen: zFen.nullable(),
  creditNote: z.string(),
  maker: z.string(),
  madeAt: zInstant,
  approver: z.string().nullable(),
  approvedAt: zInstant.nullable(),
  sender: z.string().nullable(),
  sentAt: zInstant.nullable(),
  endedAt: zInstant.nullable(),
  endReason: z.string(),
})
export type SupplierReturn = z.output<typeof item>

export const listSupplierReturns = listEndpoint({
  name: 'purchase.listSupplierReturns',
  path: '/api/supplier-returns',
  access: 'writeOff.read',
  summary: 'What merchants in sight send back to suppliers, newest first',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(supplierReturnState.states).optional(),
    why: z.enum(returnReasons).optional(),
    supplierId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item,
  sums: { totalFen: zFen },
})

export const supplierReturnFields = {
  no: { kind: 'code' },
  supplierName: supplierNameField,
  state: stateField('supplierReturnState', supplierReturnState, {
    draft: 'warn',
    approved: 'busy',
    sent: 'busy',
    credited: 'good',
    cancelled: 'idle',
  }),
  why: { kind: 'state', words: 'returnWhy', tones: {} },
  note: { kind: 'text' },
  pieces: { kind: 'count' },
  totalFen: { kind: 'money' },
  creditedFen: { kind: 'money' },
  creditNote: { kind: 'code' },
  fromName: { kind: 'text' },
  maker: { kind: 'text' },
  madeAt: { kind: 'dateTime' },
  approver: { kind: 'text' },
  approvedAt: { kind: 'dateTime' },
  sender: { kind: 'text' },
  sentAt: { kind: 'dateTime' },
  endedAt: { kind: 'dateTime' },
  endReason: { kind: 'text' },
  merchantName: { kind: 'text' },
} satisfies Fields

export const getSupplierReturn = endpoint({
  name: 'purchase.getSupplierReturn',
  method: 'GET',
  path: '/api/supplier-returns/{id}',
  access: 'writeOff.read',
  input: z.strictObject({ id: zId }),
  output: item.extend({
    /** Whether the asker may approve it, by who made it and what it comes to. */
    mayApprove: z.boolean(),
    lines: z.array(
      z.object({
        line: z.int(),
        productId: z.int(),
        productCode: z.string(),
        productName: z.string(),
        specification: z.string(),
        batch: z.string(),
        expiresOn: zDay.nullable(),
        quantity: z.int(),
        costFen: zFen,
        receiptId: z.int(),
        receiptNo: z.string(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One return with its goods and the receipts they came on',
})

const written = { method: 'POST' as const, access: 'writeOff.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(supplierReturnState.states) })
const ofOne = { ...written, input: z.strictObject({ id: zId }), output: changed }
const refusals = ['request.notFound', 'supplierReturn.state'] as const

export const addSupplierReturn = endpoint({
  ...written,
  name: 'purchase.addSupplierReturn',
  path: '/api/supplier-returns',
  input: z.strictObject({
    supplierId: zId,
    /** The warehouse that they leave. */
    fromId: zId,
    /** Empty: the newest receipts of the supplier that the goods came on. */
    receiptId: zId.nullable().default(null),
    lines: z
      .array(
        z.strictObject({
          productId: zId,
          batch: zLine(120).default(''),
          quantity: z.coerce.number().int().min(1).max(1_000_000),
        }),
      )
      .min(1)
      .max(100),
    why: z.enum(returnReasons),
    note: zLine(200).default(''),
  }),
  output: z.object({ id: z.int(), no: z.string() }),
  refusals: [
    'request.notFound',
    'supplierReturn.merchants',
    'supplierReturn.line',
    'supplierReturn.bought',
    'warehouse.less',
  ],
  summary: 'Draft a return of goods that lie in a warehouse, expired and locked ones too',
})

export const approveSupplierReturn = endpoint({
  ...ofOne,
  name: 'purchase.approveSupplierReturn',
  path: '/api/supplier-returns/{id}/approve',
  refusals: [...refusals, 'supplierReturn.ownRequest'],
  summary: 'It may go back; above the limit of write-offs by another person than its maker',
})

export const sendSupplierReturn = endpoint({
  ...ofOne,
  name: 'purchase.sendSupplierReturn',
  path: '/api/supplier-returns/{id}/send',
  refusals: [...refusals, 'warehouse.less'],
  summary: 'The goods have left the warehouse for the supplier',
})

export const creditSupplierReturn = endpoint({
  ...written,
  name: 'purchase.creditSupplierReturn',
  path: '/api/supplier-returns/{id}/credit',
  access: 'supplierPayment.write',
  input: z.strictObject({
    id: zId,
    creditNote: zNeeded(60),
    creditedFen: z.int().min(1).max(1_000_000_000_000),
  }),
  output: changed,
  refusals: [...refusals, 'supplierReturn.credit', 'supplierReturn.creditNoteTaken'],
  summary: 'The supplier has credited it: so much less is owed',
})

export const cancelSupplierReturn = endpoint({
  ...written,
  name: 'purchase.cancelSupplierReturn',
  path: '/api/supplier-returns/{id}/cancel',
  input: z.strictObject({ id: zId, reason: zNeeded(200) }),
  output: changed,
  refusals,
  summary: 'It does not go back, and why; what was sent is in its warehouse again',
})
