import { z } from 'zod'
import { endpoint, listEndpoint, zDay, zId, zInstant } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { payingModes } from './states'

export const balanceRefusals = defineRefusals('funds', {
  /** The first day is after the last, or there are too many between them. */
  'balance.period': 422,
})

/** What a balance was explained by at most: beyond, entries are added up for too long. */
export const MOST_BALANCE_DAYS = 366

const balance = z.object({
  /** The merchant's. */
  id: z.int(),
  merchantName: z.string(),
  /** Sold, and not settled yet. */
  pendingFen: zFenPositive,
  availableFen: zFenPositive,
  /** Off what is available, and not at the merchant's bank yet. */
  inPayoutFen: zFenPositive,
  /** At the merchant's bank, without fees, since the beginning. */
  paidOutFen: zFenPositive,
  /** Of what is available: settled in a way in which somebody else than the platform's payer pays it out. */
  elsewhereFen: zFenPositive,
  /** What the merchant owes: refunds beyond what is to be settled, and what it has yet to bring in for its cards. */
  owedFen: zFenPositive,
})
export type Balance = z.output<typeof balance>

export const listBalances = listEndpoint({
  name: 'funds.listBalances',
  path: '/api/merchant-balances',
  access: 'settlement.read',
  summary: 'What each merchant in sight has: to be settled, available, in payout, paid out, held elsewhere and owed',
  filters: {
    merchantId: zId.optional(),
    holds: z.enum(['available', 'pending', 'inPayout', 'owed', 'nothing']).optional(),
  },
  sorts: ['largest', 'owed', 'merchant'],
  item: balance,
  sums: { pendingFen: zFen, availableFen: zFen, inPayoutFen: zFen, owedFen: zFen },
})

export const balanceFields = {
  merchantName: { kind: 'text' },
  pendingFen: { kind: 'money' },
  availableFen: { kind: 'money' },
  inPayoutFen: { kind: 'money' },
  paidOutFen: { kind: 'money' },
  elsewhereFen: { kind: 'money' },
  owedFen: { kind: 'money' },
} satisfies Fields

/** What moves an available balance, in the order in which it is told. */
export const balanceLines = [
  'sales',
  'refunds',
  'channelFees',
  'functionFees',
  'taxes',
  'splits',
  'withdrawals',
  'withdrawalFees',
  'cards',
  'corrections',
] as const
export type BalanceLine = (typeof balanceLines)[number]

export const getBalance = endpoint({
  name: 'funds.getBalance',
  method: 'GET',
  path: '/api/merchant-balances/{id}',
  access: 'settlement.read',
  /** Days of the platform's home, both included; this month where none is named. */
  input: z.strictObject({ id: zId, from: zDay.optional(), to: zDay.optional() }),
  output: balance.extend({
    /** Who pays the merchant out; null where nobody here holds its money. */
    payer: z.object({ mode: z.enum(payingModes), holder: z.string(), bank: z.string() }).nullable(),
    from: zDay,
    to: zDay,
    openingFen: zFen,
    /** Each a sum of postings; a line of which there are none is left out. */
    lines: z.array(z.object({ line: z.enum(balanceLines), postings: z.int(), amountFen: zFen })),
    closingFen: zFen,
    /** What opening and lines miss of closing: nothing, or the books are not what the settlements say. */
    unexplainedFen: zFen,
  }),
  refusals: ['request.notFound', 'balance.period'],
  summary: 'Why an available balance is what it is: what it was, what moved it in a period, and what it came to',
})

const posting = z.object({
  /** The transfer's. */
  id: z.int(),
  kind: z.string(),
  postedAt: zInstant,
  businessDay: zDay,
  /** Of the line that was asked for, else all that it moved. */
  amountFen: zFen,
  settlementId: z.int().nullable(),
  /** Whose orders the settlement is of. */
  method: z.string().nullable(),
  runId: z.int().nullable(),
  withdrawalId: z.int().nullable(),
  withdrawalNo: z.string().nullable(),
})
export type BalancePosting = z.output<typeof posting>

export const listBalancePostings = listEndpoint({
  name: 'funds.listBalancePostings',
  path: '/api/balance-postings',
  access: 'settlement.read',
  summary: 'Postings to the available balance of a merchant (one’s own where none is named), newest first',
  filters: {
    merchantId: zId.optional(),
    line: z.enum(balanceLines).optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['newest'],
  item: posting,
})
