import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateNames, stateTable } from '../kernel/states'
import { supplierNameField } from './supplier'

/** Of something owed: follows from what was paid of it. */
export const payableState = stateNames(['open', 'partly', 'paid', 'reversed'])
/**
 * What came on a receipt, what an invoice was accepted at beyond it, below 0 where it asks for less, or what a supplier
 * credited for goods that went back.
 */
export const payableKinds = ['receipt', 'difference', 'return'] as const

/** An invoice that asks for something else than was agreed waits for another person's word. */
export const supplierInvoiceState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'accepted', 'refused'],
  moves: {
    /** It asks for what is owed. */
    pass: { from: ['waiting'], to: 'accepted' },
    accept: { from: ['waiting'], to: 'accepted' },
    refuse: { from: ['waiting'], to: 'refused' },
  },
  sets: { standing: ['waiting', 'accepted'] },
})

/** Money that went to a supplier; above a limit another person agrees before it counts. */
export const supplierPaymentState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'paid', 'refused', 'returned'],
  moves: {
    pass: { from: ['waiting'], to: 'paid' },
    approve: { from: ['waiting'], to: 'paid' },
    refuse: { from: ['waiting'], to: 'refused' },
    /** The bank brought it back, or it was written wrongly. */
    takeBack: { from: ['paid'], to: 'returned' },
  },
  sets: { standing: ['waiting', 'paid'] },
})

export const payableRefusals = defineRefusals('purchase', {
  /** Of another supplier, reversed, or not there. */
  'payable.unknown': 422,
  /** More than is open of it, with what waits. */
  'payable.most': 409,
  'payable.twice': 422,
  'payable.amount': 422,
  'payable.invoiceWaits': 409,
  'supplierInvoice.taken': 409,
  'supplierInvoice.invoiced': 409,
  'supplierInvoice.state': 409,
  'supplierInvoice.ownRequest': 403,
  'supplierPayment.referenceTaken': 409,
  'supplierPayment.state': 409,
  'supplierPayment.ownRequest': 403,
  'supplierPayment.day': 422,
})

const read = { access: 'supplierPayment.read' as const }
const written = { method: 'POST' as const, access: 'supplierPayment.write' as const, writes: true }
const ofSupplier = {
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  supplierId: z.int(),
  supplierName: z.string(),
}
const filters = { q: zSearch.optional(), supplierId: zId.optional(), merchantId: zId.optional() }

const balance = z.object({
  ...ofSupplier,
  /** As the ledger has it; below 0 the supplier owes us. */
  owedFen: zFen,
  overdueFen: zFen,
  openCount: z.int(),
  nextDue: zDay.nullable(),
})
export type SupplierBalance = z.output<typeof balance>

export const listSupplierBalances = listEndpoint({
  ...read,
  name: 'purchase.listSupplierBalances',
  path: '/api/supplier-balances',
  summary: 'What is owed to each supplier by the ledger, and what of it is overdue; most first',
  filters,
  sorts: ['owed'],
  item: balance,
  sums: { owedFen: zFen, overdueFen: zFen },
})

export const supplierBalanceFields = {
  supplierName: supplierNameField,
  owedFen: { kind: 'money' },
  overdueFen: { kind: 'money' },
  openCount: { kind: 'count' },
  nextDue: { kind: 'day' },
  merchantName: { kind: 'text' },
} satisfies Fields

const payable = z.object({
  ...ofSupplier,
  kind: z.enum(payableKinds),
  receiptNo: z.string().nullable(),
  returnNo: z.string().nullable(),
  invoiceNumber: z.string().nullable(),
  state: z.enum(payableState.states),
  marks: z.array(z.enum(['overdue', 'invoiceWaits'])),
  amountFen: zFen,
  paidFen: zFen,
  /** On payments that wait for another person. */
  waitingFen: zFen,
  openFen: zFen,
  payBy: zDay,
  bookedAt: zInstant,
})
export type Payable = z.output<typeof payable>

/** Also what payments and invoices are chosen from. */
export const listPayables = listEndpoint({
  ...read,
  name: 'purchase.listPayables',
  path: '/api/payables',
  summary: 'What is owed for each receipt, and until when; due first',
  filters: {
    ...filters,
    state: zAnyOf(payableState.states).optional(),
    toPay: z.enum(['overdue', 'week']).optional(),
    left: z.enum(['pay', 'invoice']).optional(),
  },
  sorts: ['payBy', 'newest'],
  item: payable,
  sums: { amountFen: zFen, openFen: zFen },
})

export const payableFields = {
  supplierName: supplierNameField,
  kind: { kind: 'state', words: 'payableKind', tones: {} },
  receiptNo: { kind: 'text', to: 'jxcgl/rkdj', search: { q: 'receiptNo' } },
  returnNo: { kind: 'text', to: 'jxcgl/bs', search: { q: 'returnNo', part: 'returns' } },
  invoiceNumber: { kind: 'code' },
  state: stateField('payableState', payableState.states, {
    open: 'warn',
    partly: 'busy',
    paid: 'good',
    reversed: 'idle',
  }),
  marks: { kind: 'states', words: 'payableMark', tones: { overdue: 'bad', invoiceWaits: 'warn' } },
  amountFen: { kind: 'money' },
  paidFen: { kind: 'money' },
  waitingFen: { kind: 'money' },
  openFen: { kind: 'money' },
  payBy: { kind: 'day' },
  bookedAt: { kind: 'dateTime' },
  merchantName: { kind: 'text' },
} satisfies Fields

const decided = {
  note: z.string(),
  writer: z.string(),
  writtenAt: zInstant,
  decider: z.string().nullable(),
  decidedAt: zInstant.nullable(),
}

const invoice = z.object({
  ...ofSupplier,
  number: z.string(),
  issuedOn: zDay,
  state: z.enum(supplierInvoiceState.states),
  amountFen: zFen,
  /** Of the receipts that it is for. */
  agreedFen: zFen,
  differenceFen: zFen,
  ...decided,
})
export type SupplierInvoice = z.output<typeof invoice>

export const listSupplierInvoices = listEndpoint({
  ...read,
  name: 'purchase.listSupplierInvoices',
  path: '/api/supplier-invoices',
  summary: 'Invoices of suppliers, and by how much they differ from what was agreed',
  filters: { ...filters, state: zAnyOf(supplierInvoiceState.states).optional() },
  sorts: ['newest'],
  item: invoice,
  sums: { amountFen: zFen, differenceFen: zFen },
})

const decidedFields = {
  note: { kind: 'text' },
  writer: { kind: 'text' },
  writtenAt: { kind: 'dateTime' },
  decider: { kind: 'text' },
  decidedAt: { kind: 'dateTime' },
  merchantName: { kind: 'text' },
} satisfies Fields

export const supplierInvoiceFields = {
  number: { kind: 'code' },
  supplierName: supplierNameField,
  state: stateField('supplierInvoiceState', supplierInvoiceState, {
    waiting: 'warn',
    accepted: 'good',
    refused: 'idle',
  }),
  issuedOn: { kind: 'day' },
  amountFen: { kind: 'money' },
  agreedFen: { kind: 'money' },
  differenceFen: { kind: 'money' },
  ...decidedFields,
} satisfies Fields

const lines = z.array(
  z.object({ id: z.int(), receiptNo: z.string().nullable(), kind: z.enum(payableKinds), amountFen: zFen }),
)

export const getSupplierInvoice = endpoint({
  ...read,
  method: 'GET',
  name: 'purchase.getSupplierInvoice',
  path: '/api/supplier-invoices/{id}',
  input: z.strictObject({ id: zId }),
  output: invoice.extend({ mayDecide: z.boolean(), lines }),
  refusals: ['request.notFound'],
  summary: 'One invoice with the receipts that it is for',
})

const payment = z.object({
  ...ofSupplier,
  no: z.string(),
  state: z.enum(supplierPaymentState.states),
  amountFen: zFen,
  paidOn: zDay,
  bankReference: z.string(),
  ...decided,
})
export type SupplierPayment = z.output<typeof payment>

export const listSupplierPayments = listEndpoint({
  ...read,
  name: 'purchase.listSupplierPayments',
  path: '/api/supplier-payments',
  summary: 'What was paid to suppliers, and what waits for another person',
  filters: { ...filters, state: zAnyOf(supplierPaymentState.states).optional() },
  sorts: ['newest'],
  item: payment,
  sums: { amountFen: zFen },
})

export const supplierPaymentFields = {
  no: { kind: 'code' },
  supplierName: supplierNameField,
  state: stateField('supplierPaymentState', supplierPaymentState, {
    waiting: 'warn',
    paid: 'good',
    refused: 'idle',
    returned: 'idle',
  }),
  amountFen: { kind: 'money' },
  paidOn: { kind: 'day' },
  bankReference: { kind: 'code' },
  ...decidedFields,
} satisfies Fields

export const getSupplierPayment = endpoint({
  ...read,
  method: 'GET',
  name: 'purchase.getSupplierPayment',
  path: '/api/supplier-payments/{id}',
  input: z.strictObject({ id: zId }),
  output: payment.extend({ mayDecide: z.boolean(), mayTakeBack: z.boolean(), lines }),
  refusals: ['request.notFound'],
  summary: 'One payment with what it was for',
})

const changedInvoice = z.object({ id: z.int(), state: z.enum(supplierInvoiceState.states) })
const changedPayment = z.object({ id: z.int(), state: z.enum(supplierPaymentState.states) })
const ids = z.strictObject({ id: zId })
const withReason = z.strictObject({ id: zId, reason: zNeeded(200) })

export const addSupplierInvoice = endpoint({
  ...written,
  name: 'purchase.addSupplierInvoice',
  path: '/api/supplier-invoices',
  input: z.strictObject({
    supplierId: zId,
    payableIds: z.array(zId).min(1).max(100),
    number: zNeeded(40),
    issuedOn: zDay,
    amountFen: z.int().min(1).max(1_000_000_000_000),
    note: zLine(200).default(''),
  }),
  output: changedInvoice,
  refusals: ['request.notFound', 'payable.unknown', 'supplierInvoice.taken', 'supplierInvoice.invoiced'],
  summary: 'Write down an invoice for receipts; one that asks for something else waits for another person',
})

export const acceptSupplierInvoice = endpoint({
  ...written,
  name: 'purchase.acceptSupplierInvoice',
  path: '/api/supplier-invoices/{id}/accept',
  input: ids,
  output: changedInvoice,
  refusals: ['request.notFound', 'supplierInvoice.state', 'supplierInvoice.ownRequest'],
  summary: 'Agree to what an invoice asks beyond what was agreed; the difference is booked',
})

export const refuseSupplierInvoice = endpoint({
  ...written,
  name: 'purchase.refuseSupplierInvoice',
  path: '/api/supplier-invoices/{id}/refuse',
  input: withReason,
  output: changedInvoice,
  refusals: ['request.notFound', 'supplierInvoice.state'],
  summary: 'The supplier is to write another invoice, and why',
})

export const paySupplier = endpoint({
  ...written,
  name: 'purchase.paySupplier',
  path: '/api/supplier-payments',
  input: z.strictObject({
    supplierId: zId,
    /** In whole or in part; a credit is below 0 and makes the sum less. */
    parts: z
      .array(z.strictObject({ payableId: zId, amountFen: z.int() }))
      .min(1)
      .max(100),
    paidOn: zDay,
    bankReference: zNeeded(60),
    note: zLine(200).default(''),
  }),
  output: changedPayment,
  refusals: [
    'request.notFound',
    'payable.unknown',
    'payable.most',
    'payable.twice',
    'payable.amount',
    'payable.invoiceWaits',
    'supplierPayment.referenceTaken',
    'supplierPayment.day',
  ],
  summary: 'Write down what was paid to a supplier and for what; above the limit another person agrees first',
})

export const approveSupplierPayment = endpoint({
  ...written,
  name: 'purchase.approveSupplierPayment',
  access: 'supplierPayment.approve',
  path: '/api/supplier-payments/{id}/approve',
  input: ids,
  output: changedPayment,
  refusals: ['request.notFound', 'supplierPayment.state', 'supplierPayment.ownRequest'],
  summary: 'Agree to a payment that another person wrote down',
})

export const refuseSupplierPayment = endpoint({
  ...written,
  name: 'purchase.refuseSupplierPayment',
  path: '/api/supplier-payments/{id}/refuse',
  input: withReason,
  output: changedPayment,
  refusals: ['request.notFound', 'supplierPayment.state'],
  summary: 'It is not to be paid, and why',
})

export const takeBackSupplierPayment = endpoint({
  ...written,
  name: 'purchase.takeBackSupplierPayment',
  path: '/api/supplier-payments/{id}/take-back',
  input: withReason,
  output: changedPayment,
  refusals: ['request.notFound', 'supplierPayment.state', 'supplierPayment.ownRequest'],
  summary: 'The bank brought it back, or it was written wrongly: it is owed again, and why',
})
