import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { settledMethods, settlementItem } from './books'
import { batchState, corrections, disputeState } from './states'

export const batchRefusals = defineRefusals('settlement', {
  'settlement.state': 409,
  /** Orders of it wait for the platform's answer. */
  'settlement.disputed': 409,
  /** The platform does not confirm or dispute what it settled itself. */
  'settlement.notMerchant': 403,
  'settlement.tooLong': 422,
  'settlementDispute.exists': 409,
  'settlementDispute.notIn': 422,
  'settlementDispute.state': 409,
  /** It is the platform that answers. */
  'settlementDispute.notPlatform': 403,
  'settlementDispute.samePerson': 403,
})

/** More are no statement for a person any more; the list of details is exported instead. */
export const MOST_STATEMENT_LINES = 50_000

const dispute = z.object({
  id: z.int(),
  orderNo: z.string(),
  settlementId: z.int(),
  businessDay: zDay,
  merchantName: z.string(),
  method: z.enum(settledMethods),
  amountFen: zFen,
  reason: z.string(),
  state: z.enum(disputeState.states),
  raisedBy: z.string(),
  raisedAt: zInstant,
  correction: z.enum(corrections).nullable(),
  answer: z.string().nullable(),
  answeredBy: z.string().nullable(),
  answeredAt: zInstant.nullable(),
})
export type SettlementDispute = z.output<typeof dispute>

export const getSettlement = endpoint({
  name: 'settlement.getSettlement',
  method: 'GET',
  path: '/api/settlements/{id}',
  access: 'settlement.read',
  input: z.strictObject({ id: zId }),
  output: settlementItem.extend({
    merchantId: z.int(),
    confirmedBy: z.string().nullable(),
    confirmedAt: zInstant.nullable(),
    /** When it is confirmed by itself, unless orders of it are disputed. */
    lapsesOn: zDay,
    /** Why the caller may not confirm or dispute it. */
    whyNot: z.enum(['state', 'notMerchant', 'disputed']).nullable(),
    /** The day's differences that nobody has decided. */
    openCount: z.int(),
    runDay: zDay.nullable(),
    transferId: z.int().nullable(),
    entries: z.array(
      z.object({ transferId: z.int(), kind: z.string(), account: z.string(), amountFen: zFen, postedAt: zInstant }),
    ),
    /** What the ledger has of it, beside `netFen`. */
    ledgerFen: zFen,
    /** SHA-256 of the lines of its statement, the same in every format and language, whenever it is asked for. */
    hash: z.string(),
    lines: z.int(),
  }),
  refusals: ['request.notFound'],
  summary: 'One settlement: how it stands, its ledger entries, its day, and the checksum of its statement',
})

export const getStatement = endpoint({
  name: 'settlement.getStatement',
  method: 'GET',
  path: '/api/settlements/{id}/statement',
  access: 'settlement.read',
  input: z.strictObject({ id: zId, format: z.enum(['csv', 'xlsx']).default('csv') }),
  output: z.object({ name: z.string(), hash: z.string(), lines: z.int(), content: z.base64() }),
  refusals: ['request.notFound', 'settlement.tooLong'],
  summary: 'The statement of a settlement as a file: an order or refund a line, and the checksum of its lines',
})

const item = z.object({
  id: z.int(),
  orderNo: z.string(),
  /** Null where the line is an order. */
  refundNo: z.string().nullable(),
  occurredAt: zInstant,
  settlementId: z.int(),
  businessDay: zDay,
  merchantName: z.string(),
  method: z.enum(settledMethods),
  totalFen: zFen,
  discountFen: zFen,
  grossFen: zFen,
  refundFen: zFen,
  /** Null where it was known for the day alone. */
  channelFeeFen: zFen.nullable(),
  functionFeeFen: zFen.nullable(),
  taxFen: zFen.nullable(),
  /** To those who share in the order. */
  splitFen: zFen,
  netFen: zFen.nullable(),
  settledAt: zInstant,
})
export type SettledItem = z.output<typeof item>

const itemFilters = {
  from: zDay.optional(),
  to: zDay.optional(),
  method: zAnyOf(settledMethods).optional(),
  merchantId: zId.optional(),
}

export const listSettledItems = listEndpoint({
  name: 'settlement.listSettledItems',
  path: '/api/settled-items',
  access: 'settlement.read',
  summary: 'Orders and refunds with what each was settled at; days are business days of their settlements',
  filters: { ...itemFilters, settlementId: zId.optional() },
  sorts: ['newest'],
  item,
  sums: {
    grossFen: zFen,
    discountFen: zFen,
    refundFen: zFen,
    channelFeeFen: zFen,
    functionFeeFen: zFen,
    taxFen: zFen,
    splitFen: zFen,
    netFen: zFen,
  },
})

export const settledItemFields = {
  orderNo: { kind: 'code' },
  refundNo: { kind: 'code' },
  occurredAt: { kind: 'dateTime' },
  businessDay: { kind: 'day' },
  merchantName: { kind: 'text' },
  method: { kind: 'state', words: 'method', tones: {} },
  totalFen: { kind: 'money' },
  discountFen: { kind: 'money' },
  grossFen: { kind: 'money' },
  refundFen: { kind: 'money' },
  channelFeeFen: { kind: 'money' },
  functionFeeFen: { kind: 'money' },
  taxFen: { kind: 'money' },
  splitFen: { kind: 'money' },
  netFen: { kind: 'money' },
  settledAt: { kind: 'dateTime' },
} satisfies Fields

const figures = {
  grossFen: zFen,
  refundFen: zFen,
  channelFeeFen: zFen,
  functionFeeFen: zFen,
  taxFen: zFen,
  splitFen: zFen,
  netFen: zFen,
}

export const tieSettlements = endpoint({
  name: 'settlement.tieSettlements',
  method: 'GET',
  path: '/api/settlements/tie',
  access: 'settlement.read',
  input: z.strictObject(itemFilters),
  output: z.object({
    batches: z.int(),
    settled: z.object(figures),
    /** What the entries of just these settlements say; gross and refunds stand in one entry there. */
    ledger: z.object({
      keptFen: zFen,
      channelFeeFen: zFen,
      functionFeeFen: zFen,
      taxFen: zFen,
      splitFen: zFen,
      netFen: zFen,
    }),
    /** The lines one by one; null where there are too many to be added up while somebody waits. */
    items: z.object({ count: z.int(), keptFen: zFen, feeFen: zFen.nullable() }).nullable(),
    isTied: z.boolean(),
    /** Fewer than there are: choose fewer days. */
    isPart: z.boolean(),
  }),
  summary: 'Whether settlements of a period, their lines and the ledger say the same',
})

export const listDisputes = listEndpoint({
  name: 'settlement.listDisputes',
  path: '/api/settlement-disputes',
  access: 'settlement.read',
  summary: 'Orders of settlements that merchants in sight dispute, with the platform’s answers',
  filters: {
    /** `toAnswer`: what waits, for who is of the side that answers. */
    state: zAnyOf(['toAnswer', ...disputeState.states]).optional(),
    orderNo: zSearch.optional(),
    merchantId: zId.optional(),
    settlementId: zId.optional(),
  },
  sorts: ['newest', 'oldest'],
  item: dispute,
})

export const disputeFields = {
  orderNo: { kind: 'code' },
  businessDay: { kind: 'day' },
  merchantName: { kind: 'text' },
  method: { kind: 'state', words: 'method', tones: {} },
  amountFen: { kind: 'money' },
  reason: { kind: 'longText' },
  state: stateField('disputeState', disputeState, {
    waiting: 'warn',
    accepted: 'good',
    refused: 'idle',
    withdrawn: 'idle',
  }),
  raisedBy: { kind: 'text' },
  raisedAt: { kind: 'dateTime' },
  correction: { kind: 'state', words: 'correction', tones: {} },
  answer: { kind: 'longText' },
  answeredBy: { kind: 'text' },
  answeredAt: { kind: 'dateTime' },
} satisfies Fields

export const getDispute = endpoint({
  name: 'settlement.getDispute',
  method: 'GET',
  path: '/api/settlement-disputes/{id}',
  access: 'settlement.read',
  input: z.strictObject({ id: zId }),
  output: dispute.extend({
    /** Whether the caller is of the side that answers. */
    isPlatform: z.boolean(),
    isMine: z.boolean(),
  }),
  refusals: ['request.notFound'],
  summary: 'One disputed order with its answer',
})

const written = { method: 'POST' as const, writes: true }
const zReason = z.string().trim().min(2).max(200)
const batch = z.object({ id: z.int(), state: z.enum(batchState.states) })
const disputed = z.object({ id: z.int(), state: z.enum(disputeState.states) })

export const confirmSettlement = endpoint({
  ...written,
  name: 'settlement.confirmSettlement',
  path: '/api/settlements/{id}/confirm',
  access: 'settlement.confirm',
  input: z.strictObject({ id: zId }),
  output: batch,
  refusals: ['request.notFound', 'settlement.state', 'settlement.disputed', 'settlement.notMerchant'],
  summary: 'The merchant agrees to what it was settled; afterwards nothing of it is disputed',
})

export const disputeOrder = endpoint({
  ...written,
  name: 'settlement.disputeOrder',
  path: '/api/settlements/{id}/disputes',
  access: 'settlement.confirm',
  input: z.strictObject({ id: zId, orderNo: zSearch, reason: zReason }),
  output: disputed,
  refusals: [
    'request.notFound',
    'settlement.state',
    'settlement.notMerchant',
    'settlementDispute.exists',
    'settlementDispute.notIn',
  ],
  summary: 'The merchant disputes an order of a settlement; the platform answers',
})

const answering = ['request.notFound', 'settlementDispute.state', 'settlementDispute.notPlatform'] as const

export const acceptDispute = endpoint({
  ...written,
  name: 'settlement.acceptDispute',
  path: '/api/settlement-disputes/{id}/accept',
  access: 'settlement.approve',
  input: z.strictObject({ id: zId, correction: z.enum(corrections), answer: zReason }),
  output: disputed,
  refusals: [...answering, 'settlementDispute.samePerson'],
  summary: 'The merchant is right: says by which way it is put right; what was settled stays as it was',
})

export const refuseDispute = endpoint({
  ...written,
  name: 'settlement.refuseDispute',
  path: '/api/settlement-disputes/{id}/refuse',
  access: 'settlement.approve',
  input: z.strictObject({ id: zId, answer: zReason }),
  output: disputed,
  refusals: [...answering, 'settlementDispute.samePerson'],
  summary: 'The order was settled rightly, and why',
})

export const withdrawDispute = endpoint({
  ...written,
  name: 'settlement.withdrawDispute',
  path: '/api/settlement-disputes/{id}/withdraw',
  access: 'settlement.confirm',
  input: z.strictObject({ id: zId }),
  output: disputed,
  refusals: ['request.notFound', 'settlementDispute.state', 'settlement.notMerchant'],
  summary: 'Take a dispute back before it is answered',
})
