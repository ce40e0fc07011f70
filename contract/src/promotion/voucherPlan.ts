import { z } from 'zod'
import { zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { type PlanSaid, planMarks, planSaid, planState, problemsOfPlan } from './plan'

/** A share of each piece's price, or an amount off an order from an amount on. */
export const voucherPlanKinds = ['rate', 'threshold'] as const

const { name, priority, paidPercent, amountFen, leastFen, stacks, startsOn, endsOn, perMember } = planSaid
const { productIds, categoryIds, machineIds, groupIds } = planSaid

/** What coupons and promotion codes say alike. */
const common = {
  name,
  kind: z.enum(voucherPlanKinds),
  paidPercent,
  leastFen,
  amountFen,
  productIds,
  categoryIds,
  machineIds,
  groupIds,
  startsOn,
  endsOn,
  perMember,
  priority,
  stacks,
  /** Back in its holder's hands where the whole of a paid order goes back. */
  isReturned: z.boolean().default(true),
}
export const couponSaid = {
  ...common,
  validDays: z.coerce.number().int().min(1).max(3650).nullable().default(null),
  maxIssued: z.coerce.number().int().min(1).max(10_000_000).nullable().default(null),
}
export const codeSaid = {
  ...common,
  usesPerCode: z.coerce.number().int().min(1).max(9999).default(1),
}
type Shape<S extends z.ZodRawShape> = { [K in keyof S]: z.output<S[K]> }
export type VoucherSaid = Shape<typeof common> & {
  validDays: number | null
  maxIssued: number | null
  usesPerCode: number | null
}

/** What is written of a plan that asks for a voucher; it holds at any hour, for whoever brings one. */
export const planOf = (said: Shape<typeof common>): PlanSaid => ({
  ...said,
  pieces: null,
  perOrder: said.kind === 'threshold' ? 1 : null,
  levels: [],
  cardTypes: [],
  isFirstPurchase: false,
  weekdays: [],
  fromTime: null,
  toTime: null,
  maxUses: null,
  budgetFen: null,
})

/** With what would leave it without an end. */
export const wholeVoucher = <T extends z.ZodType<Shape<typeof common>>>(shape: T) =>
  shape.superRefine((said, ctx) => {
    const isEndless = said.endsOn === null && !('validDays' in said && said.validDays !== null)
    const paths = [...problemsOfPlan(planOf(said)), ...(isEndless ? ['voucherEnd'] : [])]
    for (const rule of paths) {
      const path = rule === 'voucherEnd' ? 'endsOn' : rule
      ctx.addIssue({ code: 'custom', path: [path], params: { domain: 'promotion', rule: `plan.${rule}` } })
    }
  })

/** A definition with what was given out by it and what came of that. */
export const voucherPlan = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  name: z.string(),
  kind: z.enum(voucherPlanKinds),
  state: z.enum(planState.states),
  marks: z.array(z.enum(planMarks)),
  priority: z.int(),
  stacks: z.boolean(),
  paidPercent: z.int().nullable(),
  leastFen: z.int().nullable(),
  amountFen: z.int().nullable(),
  startsOn: zDay.nullable(),
  endsOn: zDay.nullable(),
  validDays: z.int().nullable(),
  usesPerCode: z.int().nullable(),
  perMember: z.int().nullable(),
  isReturned: z.boolean(),
  maxIssued: z.int().nullable(),
  issued: z.int(),
  used: z.int(),
  expired: z.int(),
  cancelled: z.int(),
  givenFen: zFen,
  salesFen: zFen,
  number: z.int(),
  createdBy: z.string().nullable(),
  createdAt: zInstant,
})
export type VoucherPlan = z.output<typeof voucherPlan>

export const voucherPlanFilters = {
  q: zSearch.optional(),
  state: zAnyOf(planState.states).optional(),
  kind: z.enum(voucherPlanKinds).optional(),
  merchantId: zId.optional(),
}

export const voucherPlanFields = {
  name: { kind: 'text' },
  kind: { kind: 'state', words: 'voucherPlanKind', tones: {} },
  state: stateField('voucherPlanState', planState, {
    not_listed: 'idle',
    listed: 'good',
    paused: 'warn',
    ended: 'idle',
  }),
  marks: {
    kind: 'states',
    words: 'voucherPlanMark',
    tones: { onSale: 'good', waiting: 'busy', over: 'idle', soldOut: 'warn' },
  },
  priority: { kind: 'count' },
  stacks: { kind: 'boolean' },
  paidPercent: { kind: 'percent' },
  leastFen: { kind: 'money' },
  amountFen: { kind: 'money' },
  startsOn: { kind: 'day' },
  endsOn: { kind: 'day' },
  validDays: { kind: 'count' },
  usesPerCode: { kind: 'count' },
  perMember: { kind: 'count' },
  isReturned: { kind: 'boolean' },
  maxIssued: { kind: 'count' },
  issued: { kind: 'count' },
  used: { kind: 'count' },
  expired: { kind: 'count' },
  cancelled: { kind: 'count' },
  givenFen: { kind: 'money' },
  salesFen: { kind: 'money' },
  merchantName: { kind: 'text' },
  createdBy: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
} satisfies Fields

export const batchKinds = ['members', 'bearer', 'codes'] as const
export const batchStates = ['making', 'ready', 'stopped'] as const

/** What was given out together. */
export const voucherBatch = z.object({
  id: z.int(),
  kind: z.enum(batchKinds),
  state: z.enum(batchStates),
  count: z.int(),
  made: z.int(),
  unused: z.int(),
  reason: z.string(),
  createdBy: z.string().nullable(),
  createdAt: zInstant,
  expiresAt: zInstant,
  cancelledAt: zInstant.nullable(),
})
export type VoucherBatch = z.output<typeof voucherBatch>
