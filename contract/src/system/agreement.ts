import { z } from 'zod'
import { endpoint, listEndpoint, zId, zInstant } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { languages } from '../kernel/text'

export const agreementRefusals = defineRefusals('system', {
  'agreement.published': 409,
  'agreement.incomplete': 422,
  'agreement.superseded': 409,
  /** Any call but those of `answersBeforeAccepting`, of a person who has not accepted the newest version. */
  'agreement.owed': 403,
})

export const agreementState = stateTable({
  initial: 'draft',
  states: ['draft', 'published'],
  moves: { edit: { from: ['draft'], to: 'draft' }, publish: { from: ['draft'], to: 'published' } },
})

const title = z.string().trim().max(80)
const body = z.string().trim().max(20_000)
/** Chinese is needed to keep a draft, all four to publish it. */
const words = z.strictObject({
  titleZh: title.min(1),
  titleEn: title.default(''),
  titleFr: title.default(''),
  titleKo: title.default(''),
  bodyZh: body.min(1),
  bodyEn: body.default(''),
  bodyFr: body.default(''),
  bodyKo: body.default(''),
})

const agreement = z.object({
  id: z.int(),
  /** Counts what was published; a draft has none. */
  number: z.int().nullable(),
  title: z.string(),
  state: z.enum(agreementState.states),
  createdAt: zInstant,
  createdBy: z.string().nullable(),
  publishedAt: zInstant.nullable(),
  publishedBy: z.string().nullable(),
  acceptedCount: z.int(),
  /** Languages whose text is still missing. */
  missing: z.array(z.enum(languages)),
  version: z.int(),
})
export type Agreement = z.output<typeof agreement>

export const agreementFields = {
  number: { kind: 'count' },
  title: { kind: 'text' },
  state: stateField('agreementState', agreementState, { draft: 'idle', published: 'good' }),
  publishedAt: { kind: 'dateTime' },
  publishedBy: { kind: 'text' },
  acceptedCount: { kind: 'count' },
  createdAt: { kind: 'dateTime' },
  createdBy: { kind: 'text' },
} satisfies Fields

export const listAgreements = listEndpoint({
  name: 'system.listAgreements',
  path: '/api/agreements',
  access: 'agreement.read',
  summary: 'Versions of the platform agreement, newest first, drafts before them',
  filters: { state: z.enum(agreementState.states).optional() },
  sorts: ['newest'],
  item: agreement,
})

export const getAgreement = endpoint({
  name: 'system.getAgreement',
  method: 'GET',
  path: '/api/agreements/{id}',
  access: 'agreement.read',
  input: z.strictObject({ id: zId }),
  output: agreement.extend(words.shape),
  refusals: ['request.notFound'],
  summary: 'One version with its texts',
})

export const createAgreement = endpoint({
  name: 'system.createAgreement',
  method: 'POST',
  path: '/api/agreements/create',
  access: 'agreement.write',
  writes: true,
  input: words,
  output: z.object({ id: z.int() }),
  refusals: ['request.notPermitted'],
  summary: 'Begin a new version as a draft',
})

export const editAgreement = endpoint({
  name: 'system.editAgreement',
  method: 'POST',
  path: '/api/agreements/{id}/edit',
  access: 'agreement.write',
  writes: true,
  input: words.extend({ id: zId, version: z.coerce.number().int().min(1) }),
  output: z.object({ version: z.int() }),
  refusals: ['request.notFound', 'edit.stale', 'agreement.published'],
  summary: 'Change a draft; what was published never changes',
})

const one = z.strictObject({ id: zId })

export const publishAgreement = endpoint({
  name: 'system.publishAgreement',
  method: 'POST',
  path: '/api/agreements/{id}/publish',
  access: 'agreement.publish',
  writes: true,
  input: one,
  output: z.object({ number: z.int() }),
  refusals: ['request.notFound', 'agreement.published', 'agreement.incomplete'],
  summary: 'Publish a draft: everybody is asked to accept it before going on',
})

export const discardAgreement = endpoint({
  name: 'system.discardAgreement',
  method: 'POST',
  path: '/api/agreements/{id}/discard',
  access: 'agreement.write',
  writes: true,
  input: one,
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'agreement.published'],
  summary: 'Throw a draft away',
})

export const getPendingAgreement = endpoint({
  name: 'system.getPendingAgreement',
  method: 'GET',
  path: '/api/agreements/pending',
  access: 'session',
  input: z.strictObject({}),
  output: z.object({
    agreement: z
      .object({ id: z.int(), number: z.int(), title: z.string(), body: z.string(), publishedAt: zInstant })
      .nullable(),
  }),
  summary: 'The newest version, if the person has not accepted it',
})

export const acceptAgreement = endpoint({
  name: 'system.acceptAgreement',
  method: 'POST',
  path: '/api/agreements/{id}/accept',
  access: 'session',
  writes: true,
  input: one,
  output: z.object({ acceptedAt: zInstant }),
  refusals: ['request.notFound', 'agreement.superseded'],
  summary: 'Accept the newest version; who, when, from where and in which language is recorded',
})

/**
 * All that answers a signed-in person who has not accepted the newest version: who they are, what it says, accepting
 * it or leaving. Seeing the application as a role has to be stopped first, since nothing is accepted meanwhile.
 */
export const answersBeforeAccepting: ReadonlySet<string> = new Set([
  'identity.getUserInfo',
  'identity.getUserResource',
  'identity.signOut',
  'rights.stopViewing',
  'system.getClientSettings',
  getPendingAgreement.name,
  acceptAgreement.name,
])
