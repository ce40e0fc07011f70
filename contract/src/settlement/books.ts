import { z } from 'zod'
import { balanceSides } from '../kernel/balance'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch, zSearchOf } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { providers } from '../payment/states'
import { paymentMethods } from '../trade/states'
import { batchState, lights } from './states'

/** Every kind of account in the ledger, in the order of a balance sheet: what we have, what we owe, what it cost. */
export const accountKinds = [
  'clearing',
  'channel_balance',
  'payout_in_transit',
  'bank',
  'card_due',
  'cash_in_machine',
  'cash_in_transit',
  'cash_counted',
  'goods',
  'pending',
  'available',
  'withdrawing',
  'cash_owned',
  'card_liability',
  'gift_liability',
  'supplier_due',
  'split_payable',
  'tax_payable',
  'suspense',
  'fees',
  'channel_fee',
  'price_difference',
  'coupon_cost',
  'loss',
] as const
export type AccountKindName = (typeof accountKinds)[number]

/** What accounts are kept for that has a name; others are kept for a channel, a machine or a card, by its number. */
export const accountKeys = [
  ...paymentMethods,
  'bank',
  'function',
  'write_off',
  'dispensed_after_refund',
  'written_off_stock',
  'cash_difference',
  'withdrawal',
] as const

const account = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(accountKinds),
  key: z.string(),
  merchantName: z.string(),
  /** Debits less credits: what is owed stands below 0. */
  balanceFen: zFen,
  /** As people read it: an amount, and who owes whom. */
  shownFen: zFen,
  side: z.enum(balanceSides),
  lastAt: zInstant.nullable(),
})
export type LedgerAccount = z.output<typeof account>

export const listAccounts = listEndpoint({
  name: 'settlement.listAccounts',
  path: '/api/ledger-accounts',
  access: 'settlement.read',
  summary: 'Accounts of the ledger with their balances; together they are the trial balance',
  filters: {
    kind: zAnyOf(accountKinds).optional(),
    key: zSearch.optional(),
    merchantId: zId.optional(),
    balance: z.enum(['not_zero', 'zero']).optional(),
  },
  sorts: ['kind', 'largest'],
  item: account,
  sums: { balanceFen: zFen },
})

export const accountFields = {
  name: { kind: 'text' },
  kind: { kind: 'state', words: 'accountKind', tones: {} },
  key: { kind: 'code', words: 'accountKey', states: accountKeys },
  merchantName: { kind: 'text' },
  balanceFen: { kind: 'money' },
  shownFen: { kind: 'money' },
  side: { kind: 'state', words: 'balance', tones: {} },
  lastAt: { kind: 'dateTime' },
} satisfies Fields

export const getTrialBalance = endpoint({
  name: 'settlement.getTrialBalance',
  method: 'GET',
  path: '/api/ledger-accounts/trial-balance',
  access: 'settlement.read',
  input: z.strictObject({ merchantId: zId.optional() }),
  output: z.object({
    kinds: z.array(z.object({ kind: z.enum(accountKinds), accounts: z.int(), debitFen: zFen, creditFen: zFen })),
    debitFen: zFen,
    creditFen: zFen,
    /** Accounts whose kept balance is not the sum of their entries; there are none. */
    wrongBalances: z.int(),
    /** The last day that is closed and sealed. */
    closedUntil: zDay.nullable(),
    /** All accounts are in sight: then both sides are equal. */
    isWhole: z.boolean(),
  }),
  summary: 'Debits and credits of all accounts in sight, by kind',
})

/** An account's entries are summed over days, never over its life: some have a million a year. */
export const FEWEST_DAYS = 30
export const MOST_DAYS = 366

const line = z.object({
  transferId: z.int(),
  kind: z.string(),
  reference: z.string(),
  amountFen: zFen,
  /** After this entry; null where entries of other kinds are left out. */
  balanceFen: zFen.nullable(),
  postedAt: zInstant,
  businessDay: zDay,
  adjusts: zDay.nullable(),
  orderNo: z.string().nullable(),
  refundNo: z.string().nullable(),
  runId: z.int().nullable(),
  differenceId: z.int().nullable(),
  /** Of the channel, where its bill has the line, and the day whose bill that is. */
  channelNo: z.string().nullable(),
  billRunId: z.int().nullable(),
  others: z.array(z.object({ account: z.string(), amountFen: zFen })),
})

export const getAccount = endpoint({
  name: 'settlement.getAccount',
  method: 'GET',
  path: '/api/ledger-accounts/{id}',
  access: 'settlement.read',
  input: z.strictObject({
    id: zId,
    before: z.string().max(200).optional(),
    kind: z.string().max(40).optional(),
    days: z.coerce.number().int().min(1).max(MOST_DAYS).default(FEWEST_DAYS),
  }),
  output: account.extend({
    /** What it held when the days began, which are the last ones through today. */
    from: zDay,
    openingFen: zFen,
    /** What has made it so since, largest first. */
    byKind: z.array(z.object({ kind: z.string(), entries: z.int(), amountFen: zFen })),
    lines: z.array(line),
    next: z.string().nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'Why an account holds what it holds: what happened in the last days, and each entry with what it came from',
})

const day = z.object({
  id: z.int(),
  day: zDay,
  entries: z.int().nullable(),
  debitFen: zFen.nullable(),
  hash: z.string().nullable(),
  closedAt: zInstant,
  sealedAt: zInstant.nullable(),
})

export const listBookDays = listEndpoint({
  name: 'settlement.listBookDays',
  path: '/api/book-days',
  access: 'settlement.read',
  summary: 'Closed days of the books with their seals, newest first',
  filters: { from: zDay.optional(), to: zDay.optional() },
  sorts: ['newest'],
  item: day,
})

export const bookDayFields = {
  day: { kind: 'day' },
  entries: { kind: 'count' },
  debitFen: { kind: 'money' },
  hash: { kind: 'code' },
  closedAt: { kind: 'dateTime' },
  sealedAt: { kind: 'dateTime' },
} satisfies Fields

/** Cash is the merchant's already, and a code was paid for elsewhere: nothing of them is settled. */
export const settledMethods = [...providers, 'member_card', 'other'] as const

export const settlementItem = z.object({
  id: z.int(),
  businessDay: zDay,
  merchantName: z.string(),
  method: z.enum(settledMethods),
  fundsMode: z.string(),
  orders: z.int(),
  orderSearch: zSearchOf,
  refunds: z.int(),
  grossFen: zFen,
  refundFen: zFen,
  channelFeeFen: zFen,
  functionFeeFen: zFen,
  taxFen: zFen,
  /** To those who share in orders of it. */
  splitFen: zFen,
  netFen: zFen,
  roundingUfen: z.int(),
  postedAt: zInstant,
  state: z.enum(batchState.states),
  /** Of its orders, those that the platform has yet to answer. */
  disputes: z.int(),
  /** Of the channel's day; null where no bill is waited for. */
  runId: z.int().nullable(),
  light: z.enum(lights).nullable(),
})
export type Settlement = z.output<typeof settlementItem>

export const listSettlements = listEndpoint({
  name: 'settlement.listSettlements',
  path: '/api/settlements',
  access: 'settlement.read',
  summary: 'What merchants were settled (T+1): gross, refunds, fees and net of each day and method',
  filters: {
    from: zDay.optional(),
    to: zDay.optional(),
    method: zAnyOf(settledMethods).optional(),
    merchantId: zId.optional(),
    state: zAnyOf([...batchState.states, 'disputed']).optional(),
  },
  sorts: ['newest'],
  item: settlementItem,
  sums: {
    grossFen: zFen,
    refundFen: zFen,
    channelFeeFen: zFen,
    functionFeeFen: zFen,
    taxFen: zFen,
    splitFen: zFen,
    netFen: zFen,
  },
})

const toOrders = { to: 'jygl/ddgl', search: 'orderSearch' } as const

export const settlementFields = {
  businessDay: { kind: 'day' },
  merchantName: { kind: 'text' },
  method: { kind: 'state', words: 'method', tones: {} },
  fundsMode: { kind: 'state', words: 'fundsMode', tones: {} },
  orders: { kind: 'count', ...toOrders },
  refunds: { kind: 'count' },
  grossFen: { kind: 'money', ...toOrders },
  refundFen: { kind: 'money' },
  channelFeeFen: { kind: 'money' },
  functionFeeFen: { kind: 'money' },
  taxFen: { kind: 'money' },
  splitFen: { kind: 'money' },
  netFen: { kind: 'money' },
  postedAt: { kind: 'dateTime' },
  state: stateField('batchState', batchState, { open: 'warn', confirmed: 'good', lapsed: 'idle' }),
  disputes: { kind: 'count' },
  light: stateField('light', lights, { none: 'idle', red: 'bad', amber: 'warn', green: 'good' }),
} satisfies Fields
