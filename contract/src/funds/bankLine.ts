import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'

/**
 * What a line of the bank's statement is to us. `twice`: the bank paid, or sent back, one number a second time.
 * `missing`: we took it for paid, and neither that day's statement nor the next one's knows it.
 */
export const bankOutcomes = ['matched', 'differs', 'twice', 'strange', 'missing'] as const
export const bankLineKinds = ['paid', 'returned'] as const

export const bankLineRefusals = defineRefusals('funds', {
  'bankLine.explained': 409,
})

const bankLine = z.object({
  id: z.int(),
  day: zDay,
  holder: z.string(),
  kind: z.enum(bankLineKinds),
  /** By which the bank knows what it did: the withdrawal's number where it is one of ours. */
  reference: z.string(),
  bankNo: z.string().nullable(),
  amountFen: zFenPositive,
  /** Of the withdrawal; null where there is none. */
  ourFen: zFenPositive.nullable(),
  merchantName: z.string().nullable(),
  outcome: z.enum(bankOutcomes),
  /** A difference that nobody has explained. */
  isOpen: z.boolean(),
  reason: z.string().nullable(),
  explainedBy: z.string().nullable(),
})
export type BankLine = z.output<typeof bankLine>

export const listBankLines = listEndpoint({
  name: 'funds.listBankLines',
  path: '/api/bank-lines',
  access: 'withdrawal.review',
  summary: 'What banks say they paid and sent back, each line beside the withdrawal that it is about',
  filters: {
    no: zSearch.optional(),
    outcome: zAnyOf(['open', ...bankOutcomes]).optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['newest'],
  item: bankLine,
  sums: { paidFen: zFen, returnedFen: zFen },
})

export const bankLineFields = {
  day: { kind: 'day' },
  holder: { kind: 'text' },
  kind: { kind: 'state', words: 'bankLineKind', tones: { paid: 'idle', returned: 'warn' } },
  reference: { kind: 'code' },
  bankNo: { kind: 'code' },
  amountFen: { kind: 'money' },
  ourFen: { kind: 'money' },
  merchantName: { kind: 'text' },
  outcome: {
    kind: 'state',
    words: 'bankOutcome',
    tones: { matched: 'good', differs: 'bad', twice: 'bad', strange: 'warn', missing: 'bad' },
  },
  isOpen: { kind: 'boolean' },
  reason: { kind: 'text' },
  explainedBy: { kind: 'text' },
} satisfies Fields

export const getBankLine = endpoint({
  name: 'funds.getBankLine',
  method: 'GET',
  path: '/api/bank-lines/{id}',
  access: 'withdrawal.review',
  input: z.strictObject({ id: zId }),
  output: bankLine.extend({
    /** The caller let the withdrawal go, or asked for it: somebody else says why it differs. */
    isMine: z.boolean(),
  }),
  refusals: ['request.notFound'],
  summary: 'One line of the bank’s statement with the withdrawal that it is about',
})

export const explainBankLine = endpoint({
  name: 'funds.explainBankLine',
  method: 'POST',
  path: '/api/bank-lines/{id}/explain',
  access: 'withdrawal.review',
  writes: true,
  input: z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'bankLine.explained', 'withdrawal.samePerson'],
  summary: 'Say why the bank’s line and ours differ; never who let the withdrawal go',
})
