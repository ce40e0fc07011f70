import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zNeeded, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFen, zFenPositive, zMovement } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { cardTypes } from './card'
import { topUpMethods } from './memberCard'

export const topUpRefusals = defineRefusals('member', {
  'topUp.reversed': 409,
  'topUp.own': 403,
  'topUp.used': 409,
})

const ofCard = {
  cardId: z.int(),
  physicalNo: z.string(),
  logicalNo: z.string(),
  type: z.enum(cardTypes),
  memberId: z.int().nullable(),
  holderName: z.string(),
  merchantName: z.string(),
}
/** Balances before 22 June 2019 were not recorded (spec §9). */
export const BALANCES_SINCE = '2019-06-22'
const balances = {
  beforeFen: zFenPositive.nullable(),
  afterFen: zFenPositive.nullable(),
  giftBeforeFen: zFenPositive.nullable(),
  giftAfterFen: zFenPositive.nullable(),
}
const ofCardFields = {
  logicalNo: { kind: 'ref', to: 'hygl/wdhyk', by: 'q' },
  physicalNo: { kind: 'code' },
  type: { kind: 'state', words: 'cardType', tones: {} },
  holderName: { kind: 'text' },
  merchantName: { kind: 'text' },
} as const satisfies Fields
const balanceFields = {
  beforeFen: { kind: 'money' },
  afterFen: { kind: 'money' },
  giftBeforeFen: { kind: 'money' },
  giftAfterFen: { kind: 'money' },
} as const satisfies Fields
const cardFilters = {
  /** Physical or logical number, whole, or the holder's name. */
  q: zSearch.optional(),
  from: zDay.optional(),
  to: zDay.optional(),
  merchantId: zId.optional(),
  memberId: zId.optional(),
  cardId: zId.optional(),
}

const topUp = z.object({
  id: z.int(),
  ...ofCard,
  at: zInstant,
  method: z.enum(topUpMethods),
  amountFen: zFenPositive,
  giftFen: zFenPositive,
  byName: z.string().nullable(),
  note: z.string(),
  reversal: z.enum(['standing', 'reversed']),
  reversedAt: zInstant.nullable(),
  reversedBy: z.string().nullable(),
  /** To its holder. */
  reversedFen: zFenPositive.nullable(),
  /** Of the person who asks. */
  isOwn: z.boolean(),
  ...balances,
})
export type TopUp = z.output<typeof topUp>

export const listTopUps = listEndpoint({
  name: 'member.listTopUps',
  path: '/api/card-top-ups',
  access: 'cardTransaction.read',
  summary: 'What was put on cards, by whom and how, newest first',
  filters: {
    ...cardFilters,
    method: zAnyOf(topUpMethods).optional(),
    reversal: z.enum(['standing', 'reversed']).optional(),
  },
  sorts: ['newest', 'amount'],
  item: topUp,
  sums: { amountFen: zFen, giftFen: zFen },
})

export const topUpFields = {
  ...ofCardFields,
  at: { kind: 'dateTime' },
  method: { kind: 'state', words: 'topUpMethod', tones: {} },
  amountFen: { kind: 'money' },
  giftFen: { kind: 'money' },
  byName: { kind: 'text' },
  note: { kind: 'text' },
  reversal: { kind: 'state', words: 'reversal', tones: { standing: 'good', reversed: 'idle' } },
  reversedAt: { kind: 'dateTime' },
  reversedBy: { kind: 'text' },
  reversedFen: { kind: 'money' },
  ...balanceFields,
  reason: { kind: 'longText' },
} satisfies Fields

export const previewReversal = endpoint({
  name: 'member.previewReversal',
  method: 'GET',
  path: '/api/card-top-ups/{id}/reversal-preview',
  access: 'memberCard.payBack',
  input: z.strictObject({ id: zId }),
  output: z.object({
    usedFen: zFenPositive,
    paidFen: zFenPositive,
    balanceFen: zFenPositive,
    giftFen: zFenPositive,
    movements: z.array(zMovement),
  }),
  refusals: ['request.notFound'],
  summary: 'What of a top-up is untouched, and what taking it back would post',
})

export const reverseTopUp = endpoint({
  name: 'member.reverseTopUp',
  method: 'POST',
  path: '/api/card-top-ups/{id}/reverse',
  access: 'memberCard.payBack',
  writes: true,
  input: z.strictObject({ id: zId, reason: zNeeded(200) }),
  output: z.object({ id: z.int(), paidFen: zFenPositive }),
  refusals: ['request.notFound', 'topUp.reversed', 'topUp.own', 'topUp.used', 'card.state'],
  summary: 'Take back what is untouched of a top-up that should not have been; once, by another person',
})

const deduction = z.object({
  id: z.int(),
  ...ofCard,
  at: zInstant,
  orderNo: z.string(),
  machineCode: z.string(),
  sellerName: z.string(),
  paidFen: zFenPositive,
  ofBalanceFen: zFenPositive,
  ofGiftFen: zFenPositive,
  creditedFen: zFenPositive,
  ...balances,
})
export type Deduction = z.output<typeof deduction>

export const listDeductions = listEndpoint({
  name: 'member.listDeductions',
  path: '/api/card-deductions',
  access: 'cardTransaction.read',
  summary: 'What cards paid, with the order and what was on them before and after, newest first',
  filters: {
    ...cardFilters,
    orderNo: zSearch.optional(),
    machineCode: zSearch.optional(),
    back: z.enum(['none', 'some']).optional(),
  },
  sorts: ['newest', 'amount'],
  item: deduction,
  sums: { paidFen: zFen, creditedFen: zFen },
})

export const deductionFields = {
  ...ofCardFields,
  sellerName: { kind: 'text' },
  at: { kind: 'dateTime' },
  orderNo: { kind: 'ref', to: 'jygl/ddgl', by: 'orderNo' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  paidFen: { kind: 'money' },
  ofBalanceFen: { kind: 'money' },
  ofGiftFen: { kind: 'money' },
  creditedFen: { kind: 'money' },
  ...balanceFields,
  back: { kind: 'state', words: 'cameBack', tones: {} },
} satisfies Fields

/** Those that move money are told by their facts, the others by who does them. */
const moneyActions = ['toppedUp', 'reversed', 'paid', 'credited', 'paidOut'] as const
const deskActions = [
  'issued',
  'activated',
  'bound',
  'unbound',
  'locked',
  'unlocked',
  'lost',
  'recovered',
  'limits',
  'replaced',
  'replacement',
  'cancelAsked',
  'kept',
  'cancelled',
] as const
export const cardActions = [...deskActions, ...moneyActions] as const
export type DeskAction = (typeof deskActions)[number]

const line = z.object({
  id: z.int(),
  ...ofCard,
  at: zInstant,
  action: z.enum(cardActions),
  byName: z.string().nullable(),
  note: z.string(),
  ...balances,
})
export type CardLogLine = z.output<typeof line>

export const listCardLog = listEndpoint({
  name: 'member.listCardLog',
  path: '/api/card-log',
  access: 'cardLog.read',
  summary: 'What happened to cards, each with what was on it before and after, newest first',
  filters: { ...cardFilters, action: zAnyOf(cardActions).optional() },
  sorts: ['newest'],
  item: line,
})

export const cardLogFields = {
  ...ofCardFields,
  at: { kind: 'dateTime' },
  action: { kind: 'state', words: 'cardAction', tones: {} },
  byName: { kind: 'text' },
  note: { kind: 'text' },
  ...balanceFields,
} satisfies Fields
