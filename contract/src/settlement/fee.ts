import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateNames } from '../kernel/states'
import { providers } from '../payment/states'

export const feeRefusals = defineRefusals('settlement', {
  /** Days that have begun keep the rules that they began with. */
  'feeRule.day': 422,
  'feeRule.exists': 409,
  'feeRule.state': 409,
  /** The rule for all is what everything else falls back to. */
  'feeRule.forAll': 409,
})

/** What a fee is taken for: a way to pay, or a kind of business that the platform makes possible. */
export const feeSubjects = [
  ...providers,
  'member_card',
  'other',
  'function_sale',
  'function_prescription',
  'function_lottery',
  'function_member',
  'withdrawal',
  /** What the platform withholds of sales for the tax office; never its own. */
  'tax',
] as const
export type FeeSubject = (typeof feeSubjects)[number]
export const feeBases = ['order', 'day'] as const
/** What becomes of a fee below the least: specification §9 has "at least 0.01 yuan" and "none below 0.01 yuan". */
export const belowMins = ['raise', 'waive'] as const
export const feeStates = ['coming', 'in_force', 'replaced', 'ended'] as const
export const feeState = stateNames(feeStates, { endable: ['coming', 'in_force'] })

/** The database keeps millionths; no fee is above 30 %. */
const zRate = z
  .number()
  .min(0)
  .max(30)
  .refine((percent) => Math.abs(percent * 10_000 - Math.round(percent * 10_000)) < 1e-6)
const terms = {
  subject: z.enum(feeSubjects),
  ratePercent: zRate,
  basis: z.enum(feeBases),
  minFen: z.int().min(0).max(10_000),
  belowMin: z.enum(belowMins).default('raise'),
}

const rule = z.object({
  id: z.int(),
  /** Null: for every merchant without a rule of its own or above it; the name says so. */
  merchantId: z.int().nullable(),
  merchantName: z.string(),
  ...terms,
  ratePercent: z.number(),
  minFen: zFen,
  belowMin: z.enum(belowMins),
  validFrom: zDay,
  /** The last day; null until further notice. */
  validTo: zDay.nullable(),
  state: z.enum(feeStates),
  reason: z.string(),
  agreedBy: z.string().nullable(),
  agreedAt: zInstant,
})
export type FeeRuleRow = z.output<typeof rule>

export const listFeeRules = listEndpoint({
  name: 'settlement.listFeeRules',
  path: '/api/fee-rules',
  access: 'settlement.read',
  summary:
    'Fee rules for merchants in sight, those for all and those of merchants above, newest first; with the old ones',
  filters: {
    subject: zAnyOf(feeSubjects).optional(),
    state: zAnyOf(feeStates).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: rule,
})

export const feeRuleFields = {
  subject: { kind: 'state', words: 'feeSubject', tones: {} },
  merchantName: { kind: 'text' },
  ratePercent: { kind: 'percent' },
  basis: { kind: 'state', words: 'feeBasis', tones: {} },
  minFen: { kind: 'money' },
  belowMin: { kind: 'state', words: 'belowMin', tones: {} },
  validFrom: { kind: 'day' },
  validTo: { kind: 'day' },
  state: stateField('feeState', feeStates, { coming: 'busy', in_force: 'good', replaced: 'idle', ended: 'idle' }),
  reason: { kind: 'longText' },
  agreedBy: { kind: 'text' },
  agreedAt: { kind: 'dateTime' },
} satisfies Fields

/** What was settled in a month under both rules; `chargedFen` by the rules that held on each day. */
const cost = { orders: z.int(), keptFen: zFen, chargedFen: zFen, wouldFen: zFen }

export const getFeeRule = endpoint({
  name: 'settlement.getFeeRule',
  method: 'GET',
  path: '/api/fee-rules/{id}',
  access: 'settlement.read',
  input: z.strictObject({ id: zId }),
  output: rule.extend({
    /** All rules of the same merchant for the same, newest first: the history. */
    history: z.array(
      rule.pick({ id: true, ratePercent: true, basis: true, minFen: true, belowMin: true, validFrom: true }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One fee rule with those before and after it',
})

export const previewFeeRule = endpoint({
  name: 'settlement.previewFeeRule',
  method: 'GET',
  path: '/api/fee-preview',
  access: 'settlement.approve',
  input: z.strictObject({
    merchantId: zId.optional(),
    subject: terms.subject,
    ratePercent: z.coerce.number().pipe(zRate),
    basis: terms.basis,
    minFen: z.coerce.number().pipe(terms.minFen),
    belowMin: terms.belowMin,
  }),
  output: z.object({
    from: zDay,
    to: zDay,
    ...cost,
    merchants: z.array(z.object({ merchantId: z.int(), merchantName: z.string(), ...cost })),
    /** The first days were left out, since there were more orders than can be counted anew at once. */
    isPart: z.boolean(),
  }),
  refusals: ['request.notFound', 'request.notPermitted'],
  summary: 'What a fee rule would have cost in the thirty days that were settled last, beside what was charged',
})

const written = { method: 'POST' as const, writes: true, access: 'settlement.approve' as const }

export const addFeeRule = endpoint({
  ...written,
  name: 'settlement.addFeeRule',
  path: '/api/fee-rules',
  input: z.strictObject({
    merchantId: zId.nullable().default(null),
    ...terms,
    validFrom: zDay,
    validTo: zDay.nullable().default(null),
    reason: z.string().trim().min(2).max(200),
  }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'request.notPermitted', 'feeRule.day', 'feeRule.exists'],
  summary: 'Agree a fee from a coming day on; days that have begun keep theirs',
})

export const endFeeRule = endpoint({
  ...written,
  name: 'settlement.endFeeRule',
  path: '/api/fee-rules/{id}/end',
  input: z.strictObject({ id: zId, validTo: zDay }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'feeRule.day', 'feeRule.state', 'feeRule.forAll'],
  summary: 'Name the last day of a merchant’s own rule; what holds above it follows',
})

export const takeBackFeeRule = endpoint({
  ...written,
  name: 'settlement.takeBackFeeRule',
  path: '/api/fee-rules/{id}/take-back',
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'feeRule.state'],
  summary: 'Remove a rule whose first day has not come',
})

/** The rule of a subject that holds for a merchant today: its own, the nearest above it, or the one for all. */
const held = rule
  .pick({ id: true, subject: true, ratePercent: true, basis: true, minFen: true, belowMin: true, validFrom: true })
  .extend({
    /** Null: it is the rule for all. */
    ofId: z.int().nullable(),
    ofName: z.string(),
  })
export type HeldFee = z.output<typeof held>

const merchantFees = z.object({
  id: z.int(),
  merchantName: z.string(),
  parentName: z.string().nullable(),
  /** How many of its subjects have terms of its own. */
  ownTerms: z.int(),
  alipay: z.number(),
  wechat: z.number(),
  unionpay: z.number(),
  memberCard: z.number(),
  functionSale: z.number(),
  tax: z.number(),
  withdrawal: z.number(),
})
export type MerchantFees = z.output<typeof merchantFees>

export const listMerchantFees = listEndpoint({
  name: 'settlement.listMerchantFees',
  path: '/api/merchant-fees',
  access: 'settlement.read',
  summary: 'What each merchant in sight pays in fees and is withheld in tax today, in per cent',
  filters: { q: zSearch.optional(), own: z.enum(['yes', 'no']).optional(), merchantId: zId.optional() },
  sorts: ['name'],
  item: merchantFees,
})

export const merchantFeeFields = {
  merchantName: { kind: 'text' },
  parentName: { kind: 'text' },
  ownTerms: { kind: 'count' },
  alipay: { kind: 'percent' },
  wechat: { kind: 'percent' },
  unionpay: { kind: 'percent' },
  memberCard: { kind: 'percent' },
  functionSale: { kind: 'percent' },
  tax: { kind: 'percent' },
  withdrawal: { kind: 'percent' },
} satisfies Fields

export const getMerchantFees = endpoint({
  name: 'settlement.getMerchantFees',
  method: 'GET',
  path: '/api/merchant-fees/{id}',
  access: 'settlement.read',
  input: z.strictObject({ id: zId }),
  output: merchantFees.pick({ id: true, merchantName: true }).extend({
    held: z.array(held),
    /** Agreed for this merchant, with their first day still to come. */
    coming: z.array(held),
  }),
  refusals: ['request.notFound'],
  summary: 'All that one merchant pays today, by whose terms and since when, and what is agreed for it to come',
})
