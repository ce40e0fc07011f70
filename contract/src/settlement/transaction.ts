import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { paymentMethods } from '../trade/states'

/** `none`: its money is the merchant's already or was paid for elsewhere (cash, codes), or never came. */
export const settledStates = ['settled', 'waiting', 'none'] as const

const transaction = z.object({
  id: z.int(),
  orderNo: z.string(),
  occurredAt: zInstant,
  businessDay: zDay,
  merchantName: z.string(),
  method: z.enum(paymentMethods),
  settled: z.enum(settledStates),
  totalFen: zFen,
  discountFen: zFen,
  paidFen: zFen,
  refundedFen: zFen,
  /** Null before it is settled, and where it was known for the day alone. */
  channelFeeFen: zFen.nullable(),
  functionFeeFen: zFen.nullable(),
  taxFen: zFen.nullable(),
  splitFen: zFen.nullable(),
  /** What was paid, less what went back, the fees, the tax and what others share. */
  netFen: zFen.nullable(),
  settledAt: zInstant.nullable(),
  settlementId: z.int().nullable(),
})
export type Transaction = z.output<typeof transaction>

export const listTransactions = listEndpoint({
  name: 'settlement.listTransactions',
  path: '/api/transactions',
  access: 'order.read',
  summary: 'How single orders were settled, newest first; found by our number or the channel’s',
  filters: {
    orderNo: zSearch.optional(),
    merchantId: zId.optional(),
    method: zAnyOf(paymentMethods).optional(),
    settled: z.enum(['settled', 'waiting']).optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['newest'],
  item: transaction,
  sums: { paidFen: zFen, discountFen: zFen, refundedFen: zFen },
})

export const transactionFields = {
  orderNo: { kind: 'code' },
  occurredAt: { kind: 'dateTime' },
  businessDay: { kind: 'day' },
  merchantName: { kind: 'text' },
  method: { kind: 'state', words: 'method', tones: {} },
  settled: stateField('settledState', settledStates, { settled: 'good', waiting: 'busy', none: 'idle' }),
  totalFen: { kind: 'money' },
  discountFen: { kind: 'money' },
  paidFen: { kind: 'money' },
  refundedFen: { kind: 'money' },
  channelFeeFen: { kind: 'money' },
  functionFeeFen: { kind: 'money' },
  taxFen: { kind: 'money' },
  splitFen: { kind: 'money' },
  netFen: { kind: 'money' },
  settledAt: { kind: 'dateTime' },
} satisfies Fields

export const getTransaction = endpoint({
  name: 'settlement.getTransaction',
  method: 'GET',
  path: '/api/transactions/{id}',
  access: 'order.read',
  input: z.strictObject({ id: zId }),
  output: transaction.extend({
    /** Each time that something of it was settled: the order, and each refund. */
    batches: z.array(
      z.object({
        id: z.int(),
        settlementId: z.int(),
        businessDay: zDay,
        refundNo: z.string().nullable(),
        amountFen: zFen,
        runId: z.int().nullable(),
        settledAt: zInstant,
      }),
    ),
    entries: z.array(
      z.object({ transferId: z.int(), kind: z.string(), account: z.string(), amountFen: zFen, postedAt: zInstant }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'How one order was settled, with its refunds, its settlements and its ledger entries',
})
