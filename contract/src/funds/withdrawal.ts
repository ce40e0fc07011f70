import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { belowMins } from '../settlement/fee'
import { LEAST_FEN, MOST_FEN, payingModes, withdrawalState } from './states'

export const withdrawalRefusals = defineRefusals('funds', {
  'withdrawal.window': 409,
  /** The amount with its fee is more than may be withdrawn. */
  'withdrawal.tooMuch': 409,
  /** Nobody may pay out what this merchant has: the channel pays it, or nothing is connected. */
  'withdrawal.noPayer': 409,
  'withdrawal.noBankAccount': 409,
  /** An account that was approved just now waits a day: whoever changed it wrongly is found first. */
  'withdrawal.newBankAccount': 409,
  /** The bank has sent money for this account back. */
  'withdrawal.accountReturned': 409,
  'withdrawal.merchantStopped': 409,
  'withdrawal.state': 409,
  'withdrawal.ownRequest': 403,
  /** Above the limit the second look is another person's. */
  'withdrawal.samePerson': 403,
  /** Who holds the money decides. */
  'withdrawal.notHolder': 403,
})

const withdrawal = z.object({
  id: z.int(),
  /** Also the number by which the bank knows it. */
  no: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  amountFen: zFenPositive,
  feeFen: zFenPositive,
  totalFen: zFenPositive,
  fundsMode: z.enum(payingModes),
  /** Where it goes; the number masked. */
  bank: z.string(),
  account: z.string(),
  state: z.enum(withdrawalState.states),
  /** Why it failed or waits: a word of ours (`detail.<word>`) or the bank's own. */
  detail: z.string().nullable(),
  requestedBy: z.string(),
  requestedAt: zInstant,
  /** Not paid before. */
  dueOn: zDay,
  approvedBy: z.string().nullable(),
  paidAt: zInstant.nullable(),
  /** Until then the bank may send it back. */
  finalOn: zDay.nullable(),
  bankNo: z.string().nullable(),
})
export type Withdrawal = z.output<typeof withdrawal>

export const listWithdrawals = listEndpoint({
  name: 'funds.listWithdrawals',
  path: '/api/withdrawals',
  access: 'withdrawal.read',
  summary: 'Withdrawals of merchants in sight, newest first, with their sums',
  filters: {
    no: zSearch.optional(),
    /** `toDecide`: what waits and is paid from an account of a merchant in sight. */
    state: zAnyOf(['waiting', 'toDecide', 'inTransit', ...withdrawalState.states]).optional(),
    merchantId: zId.optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['newest', 'oldest'],
  item: withdrawal,
  sums: { amountFen: zFen, feeFen: zFen, paidFen: zFen },
})

export const withdrawalFields = {
  no: { kind: 'code' },
  merchantName: { kind: 'text' },
  merchantId: { kind: 'ref', to: 'shgl/wdsh', by: 'merchantId' },
  amountFen: { kind: 'money' },
  feeFen: { kind: 'money' },
  totalFen: { kind: 'money' },
  fundsMode: { kind: 'state', words: 'fundsMode', tones: {} },
  bank: { kind: 'text' },
  account: { kind: 'code' },
  state: stateField('withdrawalState', withdrawalState, {
    requested: 'warn',
    checked: 'warn',
    approved: 'busy',
    paying: 'busy',
    unknown: 'warn',
    paid: 'good',
    rejected: 'idle',
    cancelled: 'idle',
    failed: 'bad',
    returned: 'bad',
  }),
  requestedBy: { kind: 'text' },
  requestedAt: { kind: 'dateTime' },
  dueOn: { kind: 'day' },
  approvedBy: { kind: 'text' },
  paidAt: { kind: 'dateTime' },
  finalOn: { kind: 'day' },
  bankNo: { kind: 'code' },
} satisfies Fields

const zAmount = z.int().min(LEAST_FEN).max(MOST_FEN)

export const getFunds = endpoint({
  name: 'funds.getFunds',
  method: 'GET',
  path: '/api/withdrawal-funds',
  access: 'withdrawal.read',
  input: z.strictObject({ merchantId: zId.optional(), amountFen: z.coerce.number().pipe(z.int().min(0)).optional() }),
  output: z.object({
    merchantId: z.int(),
    merchantName: z.string(),
    availableFen: zFen,
    /** Sold, and not settled yet. */
    pendingFen: zFen,
    inTransitFen: zFen,
    /** Of what is available: settled in a way in which somebody else pays it out. */
    elsewhereFen: zFen,
    withdrawableFen: zFen,
    /** Who holds the money; null where nobody does for this merchant. */
    payer: z.object({ mode: z.enum(payingModes), holder: z.string(), bank: z.string() }).nullable(),
    account: z.object({ bank: z.string(), holder: z.string(), number: z.string() }).nullable(),
    window: z.object({ from: z.string(), to: z.string(), timeZone: z.string(), isOpen: z.boolean() }),
    /** When it would be paid, asked for now. */
    dueOn: zDay,
    fee: z.object({ ratePercent: z.number(), minFen: zFen, belowMin: z.enum(belowMins) }),
    /** Of the amount that was asked about. */
    feeFen: zFen.nullable(),
    totalFen: zFen.nullable(),
    /** From this amount on two people look at it. */
    limitFen: zFen,
    /** Why nothing, or not so much, can be asked for now. */
    refusal: z.object({ code: z.string(), msg: z.string() }).nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'What a merchant has, what of it may be withdrawn, by whom it is held, and what withdrawing it costs',
})

const waiting = z.object({ count: z.int(), fen: zFenPositive })
export const tallied = ['waiting', 'approved', 'paying', 'unknown', 'failed', 'returned'] as const

export const summariseWithdrawals = endpoint({
  name: 'funds.summariseWithdrawals',
  method: 'GET',
  path: '/api/withdrawals/summary',
  access: 'withdrawal.read',
  input: z.strictObject({}),
  output: z.object(
    Object.fromEntries(tallied.map((state) => [state, waiting])) as Record<(typeof tallied)[number], typeof waiting>,
  ),
  summary: 'How many withdrawals wait for a decision, a day or the bank, and what came back in the last week',
})

export const getWithdrawal = endpoint({
  name: 'funds.getWithdrawal',
  method: 'GET',
  path: '/api/withdrawals/{id}',
  access: 'withdrawal.read',
  input: z.strictObject({ id: zId }),
  output: withdrawal.extend({
    version: z.int(),
    reason: z.string().nullable(),
    checkedBy: z.string().nullable(),
    /** From this amount on two people look at it, as it was when it was asked for. */
    limitFen: zFen,
    holder: z.string(),
    accountHolder: z.string(),
    /** Whether the caller may decide on it, and why not. */
    whyNot: z.enum(['ownRequest', 'samePerson', 'notHolder']).nullable(),
    isMine: z.boolean(),
    /** Of a merchant in sight, not only paid from one's account. */
    isOwn: z.boolean(),
    /** Why what was approved is not sent. */
    heldBack: z.enum(['merchantStopped', 'accountReplaced', 'payerOff']).nullable(),
    tries: z.int(),
    nextAt: zInstant.nullable(),
    entries: z.array(
      z.object({ transferId: z.int(), kind: z.string(), account: z.string(), amountFen: zFen, postedAt: zInstant }),
    ),
    story: z.array(
      z.object({ id: z.int(), at: zInstant, verb: z.string(), who: z.string().nullable(), note: z.string() }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One withdrawal with who decided, what the bank said, and its ledger entries',
})

const zReason = z.string().trim().min(2).max(200)
const changed = z.object({ id: z.int(), state: z.enum(withdrawalState.states) })
const written = { method: 'POST' as const, writes: true, output: changed }
const refusals = ['request.notFound', 'withdrawal.state'] as const
const decided = ['withdrawal.ownRequest', 'withdrawal.samePerson', 'withdrawal.notHolder'] as const

export const applyWithdrawal = endpoint({
  ...written,
  name: 'funds.applyWithdrawal',
  path: '/api/withdrawals',
  access: 'withdrawal.write',
  input: z.strictObject({ merchantId: zId, amountFen: zAmount }),
  refusals: [
    'request.notFound',
    'withdrawal.window',
    'withdrawal.tooMuch',
    'withdrawal.noPayer',
    'withdrawal.noBankAccount',
    'withdrawal.newBankAccount',
    'withdrawal.accountReturned',
    'withdrawal.merchantStopped',
  ],
  summary: 'Ask for money to be paid to the merchant’s approved bank account; it is held from now on',
})

export const cancelWithdrawal = endpoint({
  ...written,
  name: 'funds.cancelWithdrawal',
  path: '/api/withdrawals/{id}/cancel',
  access: 'withdrawal.write',
  input: z.strictObject({ id: zId }),
  refusals,
  summary: 'Take back what nobody has approved yet',
})

export const approveWithdrawal = endpoint({
  ...written,
  name: 'funds.approveWithdrawal',
  path: '/api/withdrawals/{id}/approve',
  access: 'withdrawal.review',
  input: z.strictObject({ id: zId }),
  refusals: [...refusals, ...decided],
  summary: 'Let it be paid on its day; never one’s own, and above the limit by a second person, too',
})

export const rejectWithdrawal = endpoint({
  ...written,
  name: 'funds.rejectWithdrawal',
  path: '/api/withdrawals/{id}/reject',
  access: 'withdrawal.review',
  input: z.strictObject({ id: zId, reason: zReason }),
  refusals: [...refusals, 'withdrawal.ownRequest', 'withdrawal.notHolder'],
  summary: 'It is not paid, and why; refused once the bank was asked',
})

export const queryWithdrawal = endpoint({
  ...written,
  name: 'funds.queryWithdrawal',
  path: '/api/withdrawals/{id}/query',
  access: 'withdrawal.review',
  input: z.strictObject({ id: zId }),
  refusals: [...refusals, 'withdrawal.notHolder'],
  summary: 'Ask the bank now what became of it',
})
