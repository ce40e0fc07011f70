import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFen, zFenPositive, zMovement } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { providers } from '../payment/states'

export const bankRefusals = defineRefusals('settlement', {
  'bankReceipt.exists': 409,
  /** The payout was not of this amount. */
  'bankReceipt.amount': 422,
  'bankReceipt.taken': 409,
})

const payout = z.object({
  id: z.int(),
  day: zDay,
  provider: z.enum(providers),
  merchantName: z.string(),
  channelNo: z.string(),
  /** The channel's own number of the payout. */
  reference: z.string(),
  payoutFen: zFen,
  /** What the channel may take off, since a day had more refunds than payments; then the bank gets so much less. */
  owedFen: zFen,
  paidOutAt: zInstant,
  bankNo: z.string().nullable(),
  receivedFen: zFen.nullable(),
  /** What the bank itself kept for the transfer; nobody’s debt, and a cost of whose account it is. */
  bankFeeFen: zFen.nullable(),
  receivedOn: zDay.nullable(),
  bankState: z.enum(['under_way', 'received']),
})
export type Payout = z.output<typeof payout>

export const listPayouts = listEndpoint({
  name: 'settlement.listPayouts',
  path: '/api/payouts',
  access: 'settlement.read',
  summary: 'Payouts of channels as their bills say, each with what the bank received',
  filters: {
    bankState: z.enum(['under_way', 'received']).optional(),
    provider: zAnyOf(providers).optional(),
    merchantId: zId.optional(),
    id: zId.optional(),
  },
  sorts: ['newest'],
  item: payout,
  sums: { payoutFen: zFen, receivedFen: zFen },
})

export const payoutFields = {
  day: { kind: 'day' },
  provider: { kind: 'state', words: 'provider', tones: {} },
  merchantName: { kind: 'text' },
  channelNo: { kind: 'text' },
  reference: { kind: 'code' },
  payoutFen: { kind: 'money' },
  owedFen: { kind: 'money' },
  paidOutAt: { kind: 'dateTime' },
  bankNo: { kind: 'text' },
  receivedFen: { kind: 'money' },
  bankFeeFen: { kind: 'money' },
  receivedOn: { kind: 'day' },
  bankState: { kind: 'state', words: 'bankState', tones: { under_way: 'busy', received: 'good' } },
} satisfies Fields

export const addBankReceipt = endpoint({
  name: 'settlement.addBankReceipt',
  method: 'POST',
  path: '/api/payouts/{id}/receipt',
  access: 'settlement.write',
  writes: true,
  input: z.strictObject({
    id: zId,
    bankNo: z.string().trim().min(1).max(60),
    amountFen: zFenPositive,
    bankFeeFen: zFenPositive.optional(),
    receivedOn: zDay,
  }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'bankReceipt.exists', 'bankReceipt.amount', 'bankReceipt.taken'],
  summary: 'Enter what the bank’s statement says that it received for a payout',
})

export const previewReceipt = endpoint({
  name: 'settlement.previewReceipt',
  method: 'GET',
  path: '/api/payouts/{id}/receipt-preview',
  access: 'settlement.write',
  input: z.strictObject({
    id: zId,
    amountFen: z.coerce.number().pipe(zFenPositive),
    bankFeeFen: z.coerce.number().pipe(zFenPositive).optional(),
  }),
  /** None where the amounts do not explain each other, or the money is not in our books. */
  output: z.object({ movements: z.array(zMovement) }),
  refusals: ['request.notFound', 'bankReceipt.taken'],
  summary: 'What entering a bank’s receipt would post',
})
