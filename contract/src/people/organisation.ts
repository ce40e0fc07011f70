import { z } from 'zod'
import { endpoint, zId } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

export const organisationKinds = ['department', 'team', 'operator'] as const

export const organisationState = stateTable({
  initial: 'active',
  states: ['active', 'stopped'],
  moves: { stop: { from: ['active'], to: 'stopped' }, resume: { from: ['stopped'], to: 'active' } },
})

/** Units below units; deeper than this no company is. */
export const DEEPEST = 8

export const organisationRefusals = defineRefusals('people', {
  'organisation.nameTaken': 409,
  'organisation.state': 409,
  'organisation.ownBranch': 409,
  'organisation.tooDeep': 409,
  /** Of who sees machines through it: nobody changes what they see themselves. */
  'organisation.own': 403,
  /** It shows machines that the caller doesn't see. */
  'organisation.beyond': 403,
})

const facts = {
  id: z.int(),
  parentId: z.int().nullable(),
  name: z.string(),
  kind: z.enum(organisationKinds),
  state: z.enum(organisationState.states),
  /** In the unit itself. */
  memberCount: z.int(),
  /** In the unit and all below it. */
  memberTotal: z.int(),
  machineCount: z.int(),
  version: z.int(),
}
const organisation = z.object(facts)
export type Organisation = z.output<typeof organisation>

export const treeOrganisations = endpoint({
  name: 'people.treeOrganisations',
  method: 'GET',
  path: '/api/organisations',
  access: 'organisation.read',
  /** The caller's own merchant when left out. */
  input: z.strictObject({ merchantId: zId.optional() }),
  output: z.object({
    merchantId: z.int(),
    merchantName: z.string(),
    merchants: z.array(z.object({ id: z.int(), parentId: z.int().nullable(), name: z.string(), unitCount: z.int() })),
    items: z.array(organisation),
    /** People of the merchant who are in no unit. */
    unassigned: z.int(),
  }),
  refusals: ['request.notFound'],
  summary: 'The units of a merchant, parents before children',
})

const member = z.object({ id: z.int(), account: z.string(), name: z.string(), isActive: z.boolean() })

export const getOrganisation = endpoint({
  name: 'people.getOrganisation',
  method: 'GET',
  path: '/api/organisations/{id}',
  access: 'organisation.read',
  input: z.strictObject({ id: zId }),
  output: organisation.extend({
    merchantId: z.int(),
    /** Names from the top down to the unit's parent. */
    above: z.array(z.string()),
    /** The first hundred in the unit itself, by account. */
    members: z.array(member),
    /** The first hundred that are authorised to the unit, by code. */
    machines: z.array(z.object({ id: z.int(), code: z.string(), name: z.string() })),
  }),
  refusals: ['request.notFound'],
  summary: 'One unit with its people and machines',
})

export const organisationFields = {
  name: { kind: 'text' },
  kind: stateField('unitKind', organisationKinds, { department: 'idle', team: 'busy', operator: 'good' }),
  state: stateField('unitState', organisationState, { active: 'good', stopped: 'idle' }),
  memberCount: { kind: 'count' },
  memberTotal: { kind: 'count' },
  machineCount: { kind: 'count' },
} satisfies Fields

const changed = z.object({ id: z.int() })
const name = z.string().trim().min(1).max(60)
const kind = z.enum(organisationKinds).default('department')
const writes = { method: 'POST', access: 'organisation.write', writes: true, output: changed } as const

export const addOrganisation = endpoint({
  ...writes,
  name: 'people.addOrganisation',
  path: '/api/organisations',
  /** Without `merchantId` of the caller's own merchant; without `parentId` at the top. */
  input: z.strictObject({ merchantId: zId.optional(), parentId: zId.nullable().default(null), name, kind }),
  refusals: ['request.notFound', 'organisation.nameTaken', 'organisation.tooDeep'],
  summary: 'Add a unit',
})

export const renameOrganisation = endpoint({
  ...writes,
  name: 'people.renameOrganisation',
  path: '/api/organisations/{id}/rename',
  input: z.strictObject({ id: zId, version: z.int(), name, kind }),
  refusals: ['request.notFound', 'edit.stale', 'organisation.nameTaken'],
  summary: 'Change the name and the kind of a unit',
})

export const moveOrganisation = endpoint({
  ...writes,
  name: 'people.moveOrganisation',
  path: '/api/organisations/{id}/move',
  input: z.strictObject({ id: zId, version: z.int(), parentId: zId.nullable() }),
  refusals: [
    'request.notFound',
    'edit.stale',
    'organisation.nameTaken',
    'organisation.ownBranch',
    'organisation.tooDeep',
    'organisation.own',
    'organisation.beyond',
  ],
  summary: 'Hang a unit with all below it elsewhere in its merchant; people see what the new place sees',
})

const verb = (verbName: string, path: string, summary: string, ...refusals: string[]) =>
  endpoint({
    ...writes,
    name: `people.${verbName}`,
    path: `/api/organisations/{id}/${path}`,
    input: z.strictObject({ id: zId }),
    refusals: ['request.notFound', ...refusals],
    summary,
  })

const kept = ['organisation.state', 'organisation.own', 'organisation.beyond']
export const stopOrganisation = verb('stopOrganisation', 'stop', 'Take no new people into a unit', ...kept)
export const resumeOrganisation = verb('resumeOrganisation', 'resume', 'Use a unit again', ...kept)
export const removeOrganisation = verb('removeOrganisation', 'remove', 'Delete an empty unit', 'request.inUse')
