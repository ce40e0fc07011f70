import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFenPositive, zMovement } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { cancelReasons, cardState, cardTypes, zPhysicalNo } from './card'

export const cardRefusals = defineRefusals('member', {
  'card.notActive': 409,
  'card.gift': 422,
  'card.otherNumber': 422,
  'card.aboveLaw': 422,
  'card.state': 409,
  'card.wrongCode': 422,
  'card.nameless': 422,
  'card.consent': 422,
  'card.memberStopped': 409,
  'card.bound': 409,
  'card.unbound': 409,
  'card.sameNumber': 422,
  'card.issued': 409,
  'card.machines': 422,
  'card.ownRequest': 403,
  'card.cashLimit': 422,
  'card.paidOut': 409,
  'card.amountChanged': 409,
  /** More on top than the issuer's rules give. */
  'card.giftAbove': 422,
})

/** Spec §5: above 500 yuan a top-up asks for confirmation. */
export const TOP_UP_SECOND_LOOK_FEN = 50_000
/** A slip of the finger and not a customer: ten thousand yuan at once. */
export const MOST_TOPPED_UP_FEN = 1_000_000

/** How a desk takes the money: it is the issuer's then, and brought in by it (docs/decisions/0024). */
export const deskMethods = ['cash', 'transfer'] as const
export const topUpMethods = [...deskMethods, 'alipay', 'wechat', 'unionpay', 'other'] as const

const card = z.object({
  id: z.int(),
  physicalNo: z.string(),
  logicalNo: z.string(),
  type: z.enum(cardTypes),
  level: z.int(),
  state: z.enum(cardState.states),
  merchantName: z.string(),
  /** Of the member who holds it; null where nobody is named on it. */
  memberId: z.int().nullable(),
  holderName: z.string(),
  balanceFen: zFenPositive,
  giftFen: zFenPositive,
  lastPaidAt: zInstant.nullable(),
  /** 0 is without a limit (spec §5). */
  dailyCountLimit: z.int(),
  singleMaxFen: zFenPositive,
  dailyAmountFen: zFenPositive,
  isRestricted: z.boolean(),
  createdAt: zInstant,
})
export type MemberCard = z.output<typeof card>

export const listCards = listEndpoint({
  name: 'member.listCards',
  path: '/api/member-cards',
  access: 'memberCard.read',
  summary: 'Member cards with what is on them, newest first',
  filters: {
    /** Physical or logical number, or the name of the holder. */
    q: zSearch.optional(),
    state: zAnyOf(cardState.states).optional(),
    type: zAnyOf(cardTypes).optional(),
    merchantId: zId.optional(),
    memberId: zId.optional(),
    level: z.coerce.number().int().min(1).max(9).optional(),
    holder: z.enum(['named', 'nameless']).optional(),
  },
  sorts: ['newest', 'number', 'balance'],
  item: card,
  sums: { balanceFen: zFenPositive, giftFen: zFenPositive },
})

export const cardFields = {
  physicalNo: { kind: 'code' },
  logicalNo: { kind: 'code' },
  type: { kind: 'state', words: 'cardType', tones: {} },
  level: { kind: 'count' },
  state: stateField('cardState', cardState, {
    not_activated: 'idle',
    active: 'good',
    locked: 'warn',
    lost: 'bad',
    cancelling: 'busy',
    cancelled: 'idle',
  }),
  merchantName: { kind: 'text' },
  holderName: { kind: 'text' },
  balanceFen: { kind: 'money' },
  giftFen: { kind: 'money' },
  amountFen: { kind: 'money' },
  method: { kind: 'state', words: 'topUpMethod', tones: {} },
  note: { kind: 'longText' },
  dailyCountLimit: { kind: 'count' },
  singleMaxFen: { kind: 'money' },
  dailyAmountFen: { kind: 'money' },
  isRestricted: { kind: 'boolean' },
  isActive: { kind: 'boolean' },
  holder: { kind: 'state', words: 'cardHolder', tones: {} },
  why: { kind: 'state', words: 'cancelWhy', tones: {} },
  code: { kind: 'code' },
  isConfirmed: { kind: 'boolean' },
  lastPaidAt: { kind: 'dateTime' },
  createdAt: { kind: 'dateTime' },
} satisfies Fields

export const getCard = endpoint({
  name: 'member.getCard',
  method: 'GET',
  path: '/api/member-cards/{id}',
  access: 'memberCard.read',
  input: z.strictObject({ id: zId }),
  output: card.extend({
    version: z.int(),
    merchantId: z.int(),
    /** Whether a code activates it. */
    hasCode: z.boolean(),
    machines: z.array(z.object({ id: z.int(), code: z.string(), name: z.string() })),
    /** The card that it stands in the place of, and the one that stands in its own. */
    replaces: z.string().nullable(),
    replacedBy: z.string().nullable(),
    cancelWhy: z.enum(cancelReasons).nullable(),
    cancelAskedBy: z.string().nullable(),
    cancelAskedAt: zInstant.nullable(),
    /** What its holder got back when it ended. */
    paidOutFen: zFenPositive,
    toppedUpFen: zFenPositive,
    topUpCount: z.int(),
    /** Less what came back. */
    spentFen: zFenPositive,
    spentCount: z.int(),
    /** What was put on it, newest first; fifty at most. */
    topUps: z.array(
      z.object({
        id: z.int(),
        method: z.enum(topUpMethods),
        amountFen: zFenPositive,
        giftFen: zFenPositive,
        byName: z.string().nullable(),
        note: z.string(),
        at: zInstant,
      }),
    ),
    /** What it paid, newest first; fifty at most. */
    charges: z.array(
      z.object({
        orderNo: z.string(),
        machineCode: z.string(),
        paidFen: zFenPositive,
        giftFen: zFenPositive,
        creditedFen: zFenPositive,
        at: zInstant,
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One card: balances, limits, what was put on it and what it paid',
})

export const topUpCard = endpoint({
  name: 'member.topUpCard',
  method: 'POST',
  path: '/api/member-cards/{id}/top-up',
  access: 'memberCard.topUp',
  writes: true,
  input: z
    .strictObject({
      id: zId,
      /** As read from the card at the desk, so that no other one gets the money. */
      physicalNo: zPhysicalNo,
      amountFen: z.int().min(1).max(MOST_TOPPED_UP_FEN),
      /** Given on top by the issuer; it can't be paid out. Null: what the issuer's rules give (member/benefit). */
      giftFen: z.int().min(0).max(MOST_TOPPED_UP_FEN).nullable().default(null),
      method: z.enum(deskMethods),
      note: z.string().trim().max(200).default(''),
      /** The second look at a large amount. */
      isConfirmed: z.boolean().default(false),
    })
    .refine(({ giftFen, amountFen }) => (giftFen ?? 0) <= amountFen, {
      path: ['giftFen'],
      params: { domain: 'member', rule: 'giftTooLarge' },
    })
    .refine(({ amountFen, isConfirmed }) => isConfirmed || amountFen <= TOP_UP_SECOND_LOOK_FEN, {
      path: ['isConfirmed'],
      params: { domain: 'member', rule: 'secondLook' },
    }),
  output: z.object({ id: z.int(), balanceFen: zFenPositive, giftFen: zFenPositive }),
  refusals: ['request.notFound', 'card.notActive', 'card.gift', 'card.otherNumber', 'card.aboveLaw', 'card.giftAbove'],
  summary: 'Put on a card what its holder paid at the desk',
})

export const previewTopUp = endpoint({
  name: 'member.previewTopUp',
  method: 'GET',
  path: '/api/member-cards/{id}/top-up-preview',
  access: 'memberCard.topUp',
  input: z.strictObject({
    id: zId,
    amountFen: z.coerce.number().int().min(1).max(MOST_TOPPED_UP_FEN),
    giftFen: z.coerce.number().int().min(0).max(MOST_TOPPED_UP_FEN).optional(),
    method: z.enum(deskMethods),
  }),
  output: z.object({
    movements: z.array(zMovement),
    /** What the issuer's rules give on top; null where none is in force for such a card. */
    ruleGiftFen: zFenPositive.nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'What putting money on a card would post',
})
