import { z } from 'zod'
import { endpoint, listEndpoint, zId, zInstant, zNeeded } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { planConflict, planScope, planState } from './plan'
import { MOST_COUPONS } from './voucher'
import { couponSaid, voucherBatch, voucherPlan, voucherPlanFilters, wholeVoucher } from './voucherPlan'

const read = { method: 'GET' as const, access: 'coupon.read' as const }
const written = { method: 'POST' as const, access: 'coupon.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(planState.states) })
const asked = ['plan.nameTaken', 'plan.notLawful', 'plan.machines', 'plan.nothing'] as const

export const listCouponPlans = listEndpoint({
  name: 'promotion.listCouponPlans',
  path: '/api/coupon-plans',
  access: 'coupon.read',
  summary: 'What coupons give, how many are out, and what came of them',
  filters: voucherPlanFilters,
  sorts: ['newest'],
  item: voucherPlan,
})

export const getCouponPlan = endpoint({
  ...read,
  name: 'promotion.getCouponPlan',
  path: '/api/coupon-plans/{id}',
  input: z.strictObject({ id: zId }),
  output: voucherPlan.extend({
    version: z.int(),
    ...planScope,
    conflicts: z.array(planConflict),
    /** The newest. */
    batches: z.array(voucherBatch),
    endedAt: zInstant.nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One kind of coupon: what it gives where, what speaks against it, and who gave out how many',
})

export const addCouponPlan = endpoint({
  ...written,
  name: 'promotion.addCouponPlan',
  path: '/api/coupon-plans',
  input: wholeVoucher(z.strictObject(couponSaid)),
  output: changed,
  refusals: asked,
  summary: 'Write down what coupons give; none is given out until it is listed',
})

export const editCouponPlan = endpoint({
  ...written,
  name: 'promotion.editCouponPlan',
  path: '/api/coupon-plans/{id}/edit',
  input: wholeVoucher(z.strictObject({ id: zId, version: z.int().positive(), ...couponSaid })),
  output: changed,
  refusals: ['request.notFound', 'plan.state', 'edit.stale', ...asked],
  summary: 'Change one that is not listed; coupons that are out keep what they say',
})

export const listCouponPlan = endpoint({
  ...written,
  name: 'promotion.listCouponPlan',
  path: '/api/coupon-plans/{id}/list',
  input: z.strictObject({ id: zId, conflictsSeen: z.int().min(0).max(1000).default(0) }),
  output: changed,
  refusals: [
    'request.notFound',
    'plan.state',
    'plan.notLawful',
    'plan.nothing',
    'plan.conflicts',
    'voucher.sold',
    'plan.over',
  ],
  summary: 'Coupons of it may be given out',
})

export const pauseCouponPlan = endpoint({
  ...written,
  name: 'promotion.pauseCouponPlan',
  path: '/api/coupon-plans/{id}/pause',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'plan.state'],
  summary: 'No more are given out; those that are out stay good',
})

export const endCouponPlan = endpoint({
  ...written,
  name: 'promotion.endCouponPlan',
  path: '/api/coupon-plans/{id}/end',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'plan.state'],
  summary: 'Never given out again; those that are out stay good until their day',
})

export const issueAudiences = ['members', 'level', 'unit', 'bearer'] as const
export const issueFields = {
  audience: {
    kind: 'state',
    words: 'issueAudience',
    tones: { members: 'idle', level: 'idle', unit: 'idle', bearer: 'idle' },
  },
  count: { kind: 'count' },
} satisfies Fields
/** Members that are named one by one. */
const MOST_NAMED = 500

const wanted = z
  .strictObject({
    planId: zId,
    audience: z.enum(issueAudiences),
    memberIds: z.array(zId).max(MOST_NAMED).default([]),
    level: z.coerce.number().int().min(1).max(9).nullable().default(null),
    /** A school, grade, class or department, with all below it. */
    unitId: zId.nullable().default(null),
    /** To nobody by name. */
    count: z.coerce.number().int().min(1).max(MOST_COUPONS).nullable().default(null),
    reason: zNeeded(200).min(2),
  })
  .superRefine((said, ctx) => {
    const needed = { members: 'memberIds', level: 'level', unit: 'unitId', bearer: 'count' } as const
    const path = needed[said.audience]
    const value = said[path]
    if (value === null || (Array.isArray(value) && value.length === 0)) {
      ctx.addIssue({ code: 'custom', path: [path], params: { domain: 'promotion', rule: `issue.${path}` } })
    }
  })
export type WantedIssue = z.output<typeof wanted>

const wantedRefusals = [
  'request.notFound',
  'voucher.notListed',
  'plan.over',
  'voucher.nobody',
  'voucher.tooMany',
] as const

export const previewIssue = endpoint({
  name: 'promotion.previewIssue',
  method: 'POST',
  path: '/api/coupon-issues/preview',
  access: 'coupon.write',
  input: wanted,
  output: z.object({
    /** Of those asked for: known and active, those that have as many as they may, and who would get one. */
    members: z.int(),
    atLimit: z.int(),
    count: z.int(),
    /** Null where the plan sets no total. */
    left: z.int().nullable(),
    expiresAt: zInstant,
  }),
  refusals: wantedRefusals,
  summary: 'How many would get a coupon, how many have as many as they may, and how many are left',
})

export const issueCoupons = endpoint({
  ...written,
  name: 'promotion.issueCoupons',
  path: '/api/coupon-issues',
  input: wanted,
  output: z.object({ id: z.int(), count: z.int() }),
  refusals: [...wantedRefusals, 'voucher.tooFew'],
  summary: 'Give one coupon to each of these members, or so many to whoever brings them',
})
