import { z } from 'zod'
import { endpoint, zId } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { onOff } from '../kernel/states'

export const organisationKinds = ['department', 'team', 'operator'] as const

export const organisationState = onOff

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

export const organisation = entity({
  domain: 'people',
  kind: 'organisation',
  path: '/api/organisations',
  right: 'organisation',
  owner: 'merchant',
  editable: {
    name: z.string().trim().min(1).max(60),
    kind: z.enum(organisationKinds).default('department'),
  },
  facts: {
    parentId: z.int().nullable(),
    /** In the unit itself. */
    memberCount: z.int(),
    /** In the unit and all below it. */
    memberTotal: z.int(),
    machineCount: z.int(),
  },
  show: { kind: stateField('unitKind', organisationKinds, { department: 'idle', team: 'busy', operator: 'good' }) },
  states: {
    table: organisationState,
    tones: { active: 'good', stopped: 'idle' },
    refusal: 'organisation.state',
  },
  unique: { organisation_merchant_id_parent_id_name_key: 'organisation.nameTaken' },
  // They are read as a tree.
  filters: {},
  sorts: ['name'],
})
const unit = organisation.item.omit({ merchantId: true, merchantName: true }).extend({ version: z.int() })
export type Organisation = z.output<typeof unit>

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
    items: z.array(unit),
    /** People of the merchant who are in no unit. */
    unassigned: z.int(),
  }),
  refusals: ['request.notFound'],
  summary: 'The units of a merchant, parents before children',
})

const member = z.object({ id: z.int(), account: z.string(), name: z.string(), isActive: z.boolean() })

export const getOrganisation = organisation.get('One unit with its people and machines', {
  /** Names from the top down to the unit's parent. */
  above: z.array(z.string()),
  /** The first hundred in the unit itself, by account. */
  members: z.array(member),
  /** The first hundred that are authorised to the unit, by code. */
  machines: z.array(z.object({ id: z.int(), code: z.string(), name: z.string() })),
})

const writes = {
  method: 'POST',
  access: 'organisation.write',
  writes: true,
  output: z.object({ id: z.int() }),
} as const

export const addOrganisation = endpoint({
  ...writes,
  name: 'people.addOrganisation',
  path: '/api/organisations',
  /** Without `merchantId` of the caller's own merchant; without `parentId` at the top. */
  input: z.strictObject({
    merchantId: zId.optional(),
    parentId: zId.nullable().default(null),
    ...organisation.editable,
  }),
  refusals: ['request.notFound', 'organisation.nameTaken', 'organisation.tooDeep'],
  summary: 'Add a unit',
})

export const editOrganisation = {
  ...organisation.edit('Change the name and the kind of a unit'),
  path: '/api/organisations/{id}/rename',
}

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

const sight = ['organisation.own', 'organisation.beyond']
export const stopOrganisation = organisation.move('stop', 'Take no new people into a unit', sight)
export const resumeOrganisation = organisation.move('resume', 'Use a unit again', sight)
export const removeOrganisation = organisation.remove('Delete an empty unit')
