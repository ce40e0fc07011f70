import { z } from 'zod'
import { endpoint, listEndpoint, zId, zInstant, zNeeded } from '../kernel/endpoint'
import { planConflict, planScope, planState } from './plan'
import { MOST_CODES } from './voucher'
import { codeSaid, voucherBatch, voucherPlan, voucherPlanFilters, wholeVoucher } from './voucherPlan'

const read = { method: 'GET' as const, access: 'promotionCode.read' as const }
const written = { method: 'POST' as const, access: 'promotionCode.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(planState.states) })
const asked = ['plan.nameTaken', 'plan.notLawful', 'plan.machines', 'plan.nothing'] as const

export const listCodePlans = listEndpoint({
  name: 'promotion.listCodePlans',
  path: '/api/code-plans',
  access: 'promotionCode.read',
  summary: 'What promotion codes give, how many there are, and what came of them',
  filters: voucherPlanFilters,
  sorts: ['newest'],
  item: voucherPlan,
})

export const getCodePlan = endpoint({
  ...read,
  name: 'promotion.getCodePlan',
  path: '/api/code-plans/{id}',
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
  summary: 'One kind of promotion code: what it gives where, what speaks against it, and its batches',
})

export const addCodePlan = endpoint({
  ...written,
  name: 'promotion.addCodePlan',
  path: '/api/code-plans',
  input: wholeVoucher(z.strictObject(codeSaid)),
  output: changed,
  refusals: asked,
  summary: 'Write down what promotion codes give; none is made until it is listed',
})

export const editCodePlan = endpoint({
  ...written,
  name: 'promotion.editCodePlan',
  path: '/api/code-plans/{id}/edit',
  input: wholeVoucher(z.strictObject({ id: zId, version: z.int().positive(), ...codeSaid })),
  output: changed,
  refusals: ['request.notFound', 'plan.state', 'edit.stale', ...asked],
  summary: 'Change one that is not listed; codes that are out keep what they say',
})

export const listCodePlan = endpoint({
  ...written,
  name: 'promotion.listCodePlan',
  path: '/api/code-plans/{id}/list',
  input: z.strictObject({ id: zId, conflictsSeen: z.int().min(0).max(1000).default(0) }),
  output: changed,
  refusals: ['request.notFound', 'plan.state', 'plan.notLawful', 'plan.nothing', 'plan.conflicts', 'plan.over'],
  summary: 'Codes of it may be made',
})

export const pauseCodePlan = endpoint({
  ...written,
  name: 'promotion.pauseCodePlan',
  path: '/api/code-plans/{id}/pause',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'plan.state'],
  summary: 'No more are made; those that are out stay good',
})

export const endCodePlan = endpoint({
  ...written,
  name: 'promotion.endCodePlan',
  path: '/api/code-plans/{id}/end',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'plan.state'],
  summary: 'Never made again; those that are out stay good until their day',
})

export const addCodeBatch = endpoint({
  ...written,
  name: 'promotion.addCodeBatch',
  path: '/api/code-plans/{id}/batches',
  input: z.strictObject({
    id: zId,
    count: z.coerce.number().int().min(1).max(MOST_CODES),
    reason: zNeeded(200).min(2),
  }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'voucher.notListed', 'plan.over'],
  summary: 'Make promotion codes, up to 100,000 at once; a job makes them and the page shows how far it is',
})
