import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch, zSearchOf } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { splitLineState, splitProviders, splitReturnState, splitState } from './splitStates'

export const splitRefusals = defineRefusals('settlement', {
  'split.state': 409,
  /** The channel will never pay this receiver, or not before next month. */
  'split.never': 409,
  'split.nextMonth': 409,
  'split.notBound': 409,
  'split.samePerson': 403,
  'splitReturn.state': 409,
})

/** `dueFen` is what was to be sent; what refunds and claims took off before is not in it. */
const figures = {
  dueFen: zFen,
  doneFen: zFen,
  /** Owed and failed: somebody has to decide. */
  failedFen: zFen,
  /** Not heard of yet. */
  waitingFen: zFen,
  releasedFen: zFen,
  returnedFen: zFen,
  claimFen: zFen,
}
const figureFields = {
  dueFen: { kind: 'money' },
  doneFen: { kind: 'money' },
  failedFen: { kind: 'money' },
  waitingFen: { kind: 'money' },
  releasedFen: { kind: 'money' },
  returnedFen: { kind: 'money' },
  claimFen: { kind: 'money' },
} satisfies Fields

const split = z.object({
  id: z.int(),
  orderNo: z.string(),
  businessDay: zDay,
  merchantName: z.string(),
  provider: z.enum(splitProviders),
  paidFen: zFen,
  baseFen: zFen,
  ...figures,
  state: z.enum(splitState.states),
  detail: z.string().nullable(),
  frozenSince: zInstant,
  madeAt: zInstant,
})
export type Split = z.output<typeof split>

const filters = {
  from: zDay.optional(),
  to: zDay.optional(),
  merchantId: zId.optional(),
  receiverId: zId.optional(),
  provider: z.enum(splitProviders).optional(),
}

export const listSplits = listEndpoint({
  name: 'settlement.listSplits',
  path: '/api/splits',
  access: 'splitRecord.read',
  summary: 'Orders of merchants in sight that were shared, newest first; days are business days of their settlements',
  filters: {
    ...filters,
    orderNo: zSearch.optional(),
    /** `toDecide`: a share has failed, or money is frozen for so long that the channel lets go of it soon. */
    state: zAnyOf(['toDecide', ...splitState.states]).optional(),
  },
  sorts: ['newest'],
  item: split,
  sums: figures,
})

export const splitFields = {
  orderNo: { kind: 'code' },
  businessDay: { kind: 'day' },
  merchantName: { kind: 'text' },
  provider: { kind: 'state', words: 'method', tones: {} },
  paidFen: { kind: 'money' },
  baseFen: { kind: 'money' },
  ...figureFields,
  state: stateField('splitState', splitState.states, {
    waiting: 'busy',
    sending: 'busy',
    unknown: 'warn',
    failed: 'bad',
    finishing: 'busy',
    finished: 'good',
  }),
  detail: { kind: 'text' },
  frozenSince: { kind: 'dateTime' },
  madeAt: { kind: 'dateTime' },
} satisfies Fields

const splitLine = z.object({
  id: z.int(),
  receiverId: z.int(),
  name: z.string(),
  account: z.string(),
  amountFen: zFen,
  /** Taken off for what the receiver owed back. */
  deductedFen: zFen,
  /** Refunded before it was sent. */
  cutFen: zFen,
  state: z.enum(splitLineState.states),
  code: z.string().nullable(),
  /** The number that the channel knows it by; null before it was asked. */
  requestNo: z.string().nullable(),
  doneAt: zInstant.nullable(),
  proposedById: z.int().nullable(),
  proposedBy: z.string().nullable(),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
  returns: z.array(
    z.object({
      id: z.int(),
      amountFen: zFen,
      state: z.enum(splitReturnState.states),
      settledFen: zFen,
      code: z.string().nullable(),
    }),
  ),
})
export type SplitLine = z.output<typeof splitLine>

export const splitLineFields = {
  state: stateField('splitLineState', splitLineState.states, {
    waiting: 'busy',
    sent: 'busy',
    done: 'good',
    failed: 'bad',
    proposed: 'warn',
    released: 'idle',
  }),
} satisfies Fields

export const getSplit = endpoint({
  name: 'settlement.getSplit',
  method: 'GET',
  path: '/api/splits/{id}',
  access: 'splitRecord.read',
  input: z.strictObject({ id: zId }),
  output: split.extend({
    settlementId: z.int(),
    ruleId: z.int(),
    lines: z.array(splitLine),
    entries: z.array(
      z.object({ transferId: z.int(), kind: z.string(), account: z.string(), amountFen: zFen, postedAt: zInstant }),
    ),
    /** Fen above which a second person agrees to what is given to the merchant. */
    limitFen: zFen,
  }),
  refusals: ['request.notFound'],
  summary: 'The shares of one order, how each ended, and what was posted',
})

const byReceiver = z.object({
  id: z.int(),
  receiverName: z.string(),
  provider: z.enum(splitProviders),
  account: z.string(),
  orders: z.int(),
  ...figures,
  orderSearch: zSearchOf,
})
export type SplitsOfReceiver = z.output<typeof byReceiver>

export const listSplitsByReceiver = listEndpoint({
  name: 'settlement.listSplitsByReceiver',
  path: '/api/splits-by-receiver',
  access: 'splitRecord.read',
  summary: 'What each receiver got, is owed and owes of orders of merchants in sight',
  filters,
  sorts: ['largest'],
  item: byReceiver,
  /** An order of two receivers is one of each: their number sums to nothing. */
  sums: figures,
})
export const splitsByReceiverFields = {
  receiverName: { kind: 'text' },
  provider: { kind: 'state', words: 'method', tones: {} },
  account: { kind: 'code' },
  orders: { kind: 'count', to: 'cfgl/fztj', search: 'orderSearch' },
  ...figureFields,
} satisfies Fields

const byDay = z.object({ id: z.int(), day: zDay, orders: z.int(), ...figures, orderSearch: zSearchOf })
export type SplitsOfDay = z.output<typeof byDay>

export const listSplitsByDay = listEndpoint({
  name: 'settlement.listSplitsByDay',
  path: '/api/splits-by-day',
  access: 'splitRecord.read',
  summary: 'What was shared of each business day, newest first',
  filters,
  sorts: ['newest'],
  item: byDay,
  sums: { orders: z.int(), ...figures },
})
export const splitsByDayFields = {
  day: { kind: 'day' },
  orders: { kind: 'count', to: 'cfgl/fztj', search: 'orderSearch' },
  ...figureFields,
} satisfies Fields

const returned = z.object({
  id: z.int(),
  orderNo: z.string(),
  /** Its order, where it is decided. */
  splitSearch: zSearchOf,
  receiverName: z.string(),
  merchantName: z.string(),
  amountFen: zFen,
  settledFen: zFen,
  state: z.enum(splitReturnState.states),
  code: z.string().nullable(),
  reason: z.string().nullable(),
  madeAt: zInstant,
  endedAt: zInstant.nullable(),
})
export type SplitReturn = z.output<typeof returned>

export const listSplitReturns = listEndpoint({
  name: 'settlement.listSplitReturns',
  path: '/api/split-returns',
  access: 'splitRecord.read',
  summary: 'What receivers owe back since orders were refunded after their share was paid, newest first',
  filters: { receiverId: zId.optional(), state: zAnyOf(splitReturnState.states).optional() },
  sorts: ['newest'],
  item: returned,
  sums: { amountFen: zFen, settledFen: zFen },
})

export const splitReturnFields = {
  orderNo: { kind: 'text', to: 'cfgl/fztj', search: 'splitSearch' },
  receiverName: { kind: 'text' },
  merchantName: { kind: 'text' },
  amountFen: { kind: 'money' },
  settledFen: { kind: 'money' },
  state: stateField('splitReturnState', splitReturnState.states, {
    waiting: 'busy',
    sending: 'busy',
    done: 'good',
    claimed: 'warn',
    settled: 'good',
    written_off: 'idle',
  }),
  code: { kind: 'text' },
  reason: { kind: 'longText' },
  madeAt: { kind: 'dateTime' },
  endedAt: { kind: 'dateTime' },
} satisfies Fields

export const tieSplits = endpoint({
  name: 'settlement.tieSplits',
  method: 'GET',
  path: '/api/splits/tie',
  access: 'splitRecord.read',
  input: z.strictObject(filters),
  output: z.object({
    orders: z.int(),
    /** Of the shares themselves, and of the ledger's entries about just these orders. */
    shares: z.object({ dueFen: zFen, doneFen: zFen, releasedFen: zFen, owedFen: zFen, returnedFen: zFen }),
    ledger: z.object({ dueFen: zFen, doneFen: zFen, releasedFen: zFen, owedFen: zFen, returnedFen: zFen }),
    isTied: z.boolean(),
    /** Fewer than there are: choose fewer days. */
    isPart: z.boolean(),
  }),
  summary: 'Whether shares of a period and the ledger say the same',
})

const written = { method: 'POST' as const, writes: true, access: 'splitRecord.approve' as const }
const zReason = z.string().trim().min(2).max(200)
const moved = z.object({ id: z.int(), state: z.enum(splitState.states) })
const lineMoved = z.object({ id: z.int(), state: z.enum(splitLineState.states) })

export const sendSplitAgain = endpoint({
  ...written,
  name: 'settlement.sendSplitAgain',
  path: '/api/splits/{id}/again',
  input: z.strictObject({ id: zId }),
  output: moved,
  refusals: ['request.notFound', 'split.state', 'split.never', 'split.nextMonth', 'split.notBound'],
  summary: 'Send the shares that failed again, under a new number',
})

export const releaseSplitLine = endpoint({
  ...written,
  name: 'settlement.releaseSplitLine',
  path: '/api/split-lines/{id}/release',
  input: z.strictObject({ id: zId, reason: zReason }),
  output: lineMoved,
  refusals: ['request.notFound', 'split.state'],
  summary: 'Give a share that failed to the merchant; above the limit it waits for another person',
})

export const approveSplitRelease = endpoint({
  ...written,
  name: 'settlement.approveSplitRelease',
  path: '/api/split-lines/{id}/approve',
  input: z.strictObject({ id: zId }),
  output: lineMoved,
  refusals: ['request.notFound', 'split.state', 'split.samePerson'],
  summary: 'Agree as another person that a share goes to the merchant',
})

export const refuseSplitRelease = endpoint({
  ...written,
  name: 'settlement.refuseSplitRelease',
  path: '/api/split-lines/{id}/refuse',
  input: z.strictObject({ id: zId, reason: zReason }),
  output: lineMoved,
  refusals: ['request.notFound', 'split.state'],
  summary: 'Not to the merchant: the share stays owed',
})

export const writeOffSplitReturn = endpoint({
  ...written,
  name: 'settlement.writeOffSplitReturn',
  path: '/api/split-returns/{id}/write-off',
  input: z.strictObject({ id: zId, reason: zReason }),
  output: z.object({ id: z.int(), state: z.enum(splitReturnState.states) }),
  refusals: ['request.notFound', 'splitReturn.state'],
  summary: 'Give up what a receiver owes back; the merchant bears it',
})
