import { z } from 'zod'
import { pointKinds } from '../fleet/point'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

/** One change of one slot. Those nobody has decided on are worked out anew each night, or go. */
export const recommendationState = stateTable({
  initial: 'open',
  states: ['open', 'accepted', 'ignored'],
  moves: {
    accept: { from: ['open'], to: 'accepted' },
    ignore: { from: ['open'], to: 'ignored' },
  },
  sets: { decided: ['accepted', 'ignored'] },
})
export type RecommendationState = (typeof recommendationState.states)[number]

/**
 * `add`: similar machines sell what this one has not; `widen`: it sells here and is often empty; `replace`: what stands
 * in the slot does not go, or more of it expires than it earns.
 */
export const recommendationKinds = ['add', 'widen', 'replace'] as const
export type RecommendationKind = (typeof recommendationKinds)[number]

/** `likely`: of 100 such changes at least 97 earn more than before; `open`: chance might explain it. */
export const certainties = ['likely', 'open'] as const

export const recommendationRefusals = defineRefusals('advice', {
  'recommendation.state': 409,
  /** Another product stands in the slot by now, or is planned for it. */
  'recommendation.changed': 409,
  /** The machine follows no template, or one in which that slot holds something else than the machine's does. */
  'recommendation.noTemplate': 409,
})

const recommendation = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  machineCode: z.string(),
  machineName: z.string(),
  kind: z.enum(recommendationKinds),
  state: z.enum(recommendationState.states),
  slotCode: z.string(),
  incomingName: z.string().nullable(),
  incomingCode: z.string().nullable(),
  outgoingName: z.string().nullable(),
  outgoingCode: z.string().nullable(),
  /** Margin more in 30 days, and what 95 of 100 such estimates would hold. */
  gainFen: z.int(),
  lowFen: z.int(),
  highFen: z.int(),
  certainty: z.enum(certainties),
  /** What the products of the slot earned more since, in 30 days; null before a week of it is known. */
  seenFen: z.int().nullable(),
  seenDays: z.int(),
  computedAt: zInstant,
  decidedAt: zInstant.nullable(),
  decider: z.string().nullable(),
})
export type Recommendation = z.output<typeof recommendation>

export const recommendationFields = {
  machineName: { kind: 'text' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  kind: stateField('recommendationKind', recommendationKinds, { add: 'good', widen: 'busy', replace: 'warn' }),
  state: stateField('recommendationState', recommendationState, { open: 'warn', accepted: 'good', ignored: 'idle' }),
  slotCode: { kind: 'text' },
  incomingName: { kind: 'text' },
  incomingCode: { kind: 'text' },
  outgoingName: { kind: 'text' },
  outgoingCode: { kind: 'text' },
  gainFen: { kind: 'money' },
  lowFen: { kind: 'money' },
  highFen: { kind: 'money' },
  certainty: stateField('certainty', certainties, { likely: 'good', open: 'idle' }),
  seenFen: { kind: 'money' },
  seenDays: { kind: 'count' },
  computedAt: { kind: 'dateTime' },
  decidedAt: { kind: 'dateTime' },
  decider: { kind: 'text' },
  merchantName: { kind: 'text' },
} satisfies Fields

export const listRecommendations = listEndpoint({
  name: 'advice.listRecommendations',
  path: '/api/recommendations',
  access: 'product.read',
  summary: 'Which slot of which machine in sight would earn more with another product, by what that is expected to be',
  filters: {
    q: zSearch.optional(),
    kind: zAnyOf(recommendationKinds).optional(),
    state: zAnyOf(recommendationState.states).optional(),
    certainty: z.enum(certainties).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['gain', 'newest'],
  item: recommendation,
})

const similar = z.object({
  machineCode: z.string(),
  machineName: z.string(),
  pieces: z.int(),
  marginFen: z.int(),
})

export const getRecommendation = endpoint({
  name: 'advice.getRecommendation',
  method: 'GET',
  path: '/api/recommendations/{id}',
  access: 'product.read',
  input: z.strictObject({ id: zId }),
  output: recommendation.extend({
    placeKind: z.enum(pointKinds),
    /** Sales a day of the machines that were compared, from and to below. */
    levelFromFen: z.int(),
    levelToFen: z.int(),
    machines: z.int(),
    machinesWith: z.int(),
    /** All of these in 30 days and to a slot. */
    incomingFen: z.int(),
    incomingPieces: z.number(),
    outgoingFen: z.int(),
    outgoingPieces: z.number(),
    lossFen: z.int(),
    /** Of the time no slot with it had any, in thousandths. */
    emptyPermille: z.int().nullable(),
    stoodSince: zDay.nullable(),
    priceFen: z.int().nullable(),
    /** Of the similar ones those in sight that sold most of it in the last 28 days. */
    similar: z.array(similar),
    reason: z.string(),
    /** Which the machine follows, where its slot is as it is there; null where it can't be changed there. */
    template: z.object({ id: z.int(), name: z.string(), machines: z.int() }).nullable(),
    /** The template that was changed by it, where the caller sees that: its machines get it once it is applied. */
    acceptedInto: z.object({ id: z.int(), name: z.string() }).nullable(),
    begunOn: zDay.nullable(),
    beforeFen: z.int().nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'Why: the numbers that were compared, the gain to be expected, and what became of it',
})
export type RecommendationDetail = z.output<typeof getRecommendation.output>

const written = { method: 'POST' as const, access: 'slot.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(recommendationState.states) })
const refusals = ['request.notFound', 'recommendation.state'] as const

export const acceptRecommendation = endpoint({
  ...written,
  name: 'advice.acceptRecommendation',
  path: '/api/recommendations/{id}/accept',
  input: z.strictObject({ id: zId, when: z.enum(['nextService', 'now']).default('nextService') }),
  output: changed,
  refusals: [
    ...refusals,
    'recommendation.changed',
    'edit.stale',
    'slot.unlawful',
    'slot.waitsForOrder',
    'slot.nothingChanged',
    'slot.retired',
    'slot.held',
  ],
  summary: 'Plan it for the slot, at the next service or at once; what it earns is measured afterwards',
})

export const acceptIntoTemplate = endpoint({
  ...written,
  name: 'advice.acceptIntoTemplate',
  path: '/api/recommendations/{id}/accept-into-template',
  access: 'template.write',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: [...refusals, 'recommendation.noTemplate'],
  summary: 'Change the slot in the template that the machine follows; its machines get it when that is applied',
})

export const ignoreRecommendation = endpoint({
  ...written,
  name: 'advice.ignoreRecommendation',
  path: '/api/recommendations/{id}/ignore',
  input: z.strictObject({ id: zId, reason: zNeeded(200) }),
  output: changed,
  refusals,
  summary: 'Leave the slot as it is, and why; it is not recommended again for a quarter',
})
