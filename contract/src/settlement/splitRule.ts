import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { feeState, feeStates } from './fee'
import { MOST_SPLIT_LINES, splitProviders, splitReceiverState } from './splitStates'

export const splitRuleRefusals = defineRefusals('settlement', {
  /** A rule begins tomorrow at the earliest: what is being sold keeps the rule that it was asked for with. */
  'splitRule.day': 422,
  'splitRule.exists': 409,
  'splitRule.state': 409,
  /** Sums of rates at one channel above what its contract allows. */
  'splitRule.cap': 422,
  'splitRule.lines': 422,
  'splitRule.scope': 422,
  'splitRule.receiver': 409,
  'splitRule.merchantStopped': 409,
})

export const splitScopes = ['machine', 'group', 'merchant'] as const

/** A share is a rate of what the order leaves after refunds, fees and tax, or an amount an order. */
const zShare = z
  .strictObject({
    receiverId: zId,
    ratePercent: z.number().min(0.01).max(100).multipleOf(0.01).nullable().default(null),
    fixedFen: z.int().min(1).max(1_000_000).nullable().default(null),
  })
  .refine(({ ratePercent, fixedFen }) => (ratePercent === null) !== (fixedFen === null))
const zShares = z.array(zShare).min(1).max(MOST_SPLIT_LINES)

const line = z.object({
  receiverId: z.int(),
  name: z.string(),
  provider: z.enum(splitProviders),
  account: z.string(),
  state: z.enum(splitReceiverState.states),
  ratePercent: z.number().nullable(),
  fixedFen: zFen.nullable(),
})
export type SplitRuleLine = z.output<typeof line>

const rule = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  scope: z.enum(splitScopes),
  /** The machine or group it is for; null: all machines of the merchant and of those below it. */
  scopeName: z.string().nullable(),
  receivers: z.int(),
  /** The highest sum of rates at one channel, in per cent. */
  ratePercent: z.number(),
  validFrom: zDay,
  validTo: zDay.nullable(),
  state: z.enum(feeStates),
  reason: z.string(),
  agreedBy: z.string(),
  agreedAt: zInstant,
})
export type SplitRule = z.output<typeof rule>

export const listSplitRules = listEndpoint({
  name: 'settlement.listSplitRules',
  path: '/api/split-rules',
  access: 'splitRule.write',
  summary: 'Who shares in orders of merchants in sight, by which terms and from when on; with the old ones',
  filters: {
    scope: zAnyOf(splitScopes).optional(),
    state: zAnyOf(feeStates).optional(),
    merchantId: zId.optional(),
    receiverId: zId.optional(),
  },
  sorts: ['newest'],
  item: rule,
})

export const splitRuleFields = {
  merchantName: { kind: 'text' },
  scope: { kind: 'state', words: 'splitScope', tones: {} },
  scopeName: { kind: 'text' },
  receivers: { kind: 'count' },
  ratePercent: { kind: 'percent' },
  validFrom: { kind: 'day' },
  validTo: { kind: 'day' },
  state: stateField('feeState', feeStates, { coming: 'busy', in_force: 'good', replaced: 'idle', ended: 'idle' }),
  reason: { kind: 'longText' },
  agreedBy: { kind: 'text' },
  agreedAt: { kind: 'dateTime' },
} satisfies Fields

export const getSplitRule = endpoint({
  name: 'settlement.getSplitRule',
  method: 'GET',
  path: '/api/split-rules/{id}',
  access: 'splitRule.write',
  input: z.strictObject({ id: zId }),
  output: rule.extend({ lines: z.array(line), capPercent: z.number() }),
  refusals: ['request.notFound'],
  summary: 'One rule with its receivers in their order',
})

const who = { merchantId: zId, groupId: zId.nullable().default(null), machineId: zId.nullable().default(null) }

const figures = { orders: z.int(), amountFen: zFen }

export const previewSplitRule = endpoint({
  name: 'settlement.previewSplitRule',
  method: 'GET',
  path: '/api/split-preview',
  access: 'splitRule.write',
  input: z.strictObject({
    merchantId: zId,
    groupId: zId.optional(),
    machineId: zId.optional(),
    /** Receivers in their order, each with `b` and hundredths of a per cent or `f` and fen: `12:b1000,13:f50`. */
    lines: z.string().regex(/^\d{1,15}:[bf]\d{1,7}(,\d{1,15}:[bf]\d{1,7}){0,19}$/),
  }),
  output: z.object({
    from: zDay,
    to: zDay,
    /** Settled orders that a channel collected and that the rule would be the nearest of. */
    orders: z.int(),
    paidFen: zFen,
    baseFen: zFen,
    sharedFen: zFen,
    /** Orders at which the cap or what was left of the order cut a share. */
    cut: z.int(),
    cutFen: zFen,
    /** Refunds that came after the settlement, whose shares would have to be asked back. */
    refundsAfter: z.int(),
    refundedAfterFen: zFen,
    capPercent: z.number(),
    /** Why the rule would be refused as it stands. */
    overCap: z.boolean(),
    receivers: z.array(
      z.object({ receiverId: z.int(), name: z.string(), provider: z.enum(splitProviders), ...figures }),
    ),
    /** The first days were left out, since there were more orders than can be counted anew at once. */
    isPart: z.boolean(),
  }),
  refusals: ['request.notFound', 'splitRule.scope', 'splitRule.lines'],
  summary: 'What a rule would have given each receiver of the orders of the last thirty days',
})

const written = { method: 'POST' as const, writes: true, access: 'splitRule.write' as const }

export const addSplitRule = endpoint({
  ...written,
  name: 'settlement.addSplitRule',
  path: '/api/split-rules',
  input: z.strictObject({
    ...who,
    lines: zShares,
    validFrom: zDay,
    validTo: zDay.nullable().default(null),
    reason: z.string().trim().min(2).max(200),
  }),
  output: z.object({ id: z.int() }),
  refusals: [
    'request.notFound',
    'splitRule.day',
    'splitRule.exists',
    'splitRule.cap',
    'splitRule.lines',
    'splitRule.scope',
    'splitRule.receiver',
    'splitRule.merchantStopped',
  ],
  summary: 'Agree who shares in orders from a coming day on; it is never edited, a newer one takes its place',
})

export const endSplitRule = endpoint({
  ...written,
  name: 'settlement.endSplitRule',
  path: '/api/split-rules/{id}/end',
  input: z.strictObject({ id: zId, validTo: zDay }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'splitRule.day', 'splitRule.state'],
  summary: 'Name the last day of a rule; what was asked for under it is shared by it',
})

export const takeBackSplitRule = endpoint({
  ...written,
  name: 'settlement.takeBackSplitRule',
  path: '/api/split-rules/{id}/take-back',
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'splitRule.state'],
  summary: 'Remove a rule whose first day has not come',
})

export const splitRuleState = feeState
