import { z } from 'zod'
import { endpoint, listEndpoint, zId, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { machineCategories } from './machine'

export const groupRefusals = defineRefusals('fleet', {
  'group.nameTaken': 409,
  /** The filter finds another number of machines than the person saw. */
  'group.changed': 409,
})

const editable = {
  name: z.string().trim().min(1).max(60),
  remark: z.string().trim().max(200).default(''),
  sort: z.coerce.number().int().min(0).max(9999).default(0),
}

const group = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  name: z.string(),
  remark: z.string(),
  sort: z.int(),
  /** In sight. */
  machineCount: z.int(),
  /** Assortments that hold for it. */
  usedBy: z.int(),
})

/** Also what a picker of groups asks. */
export const listGroups = listEndpoint({
  name: 'fleet.listGroups',
  path: '/api/machine-groups',
  access: 'machineGroup.read',
  summary: 'Machine groups in sight, in the order that was set',
  filters: {
    group: zSearch.optional(),
    /** The same, as pickers ask. */
    q: zSearch.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['order', 'name', 'machines'],
  item: group,
})

export const groupFields = {
  name: { kind: 'text' },
  remark: { kind: 'longText' },
  sort: { kind: 'count' },
  machineCount: { kind: 'count' },
  usedBy: { kind: 'count' },
  merchantName: { kind: 'text' },
} satisfies Fields

export const getGroup = endpoint({
  name: 'fleet.getGroup',
  method: 'GET',
  path: '/api/machine-groups/{id}',
  access: 'machineGroup.read',
  input: z.strictObject({ id: zId }),
  output: group.extend({
    version: z.int(),
    /** What holds for it, by name. */
    uses: z.array(z.string()),
  }),
  refusals: ['request.notFound'],
  summary: 'One group with what it is used for',
})
export type GroupDetail = z.output<typeof getGroup.output>

const memberFilters = {
  q: zSearch.optional(),
  city: zSearch.optional(),
  category: z.enum(machineCategories).optional(),
  /** Of the merchant, by what they are to the group. */
  membership: z.enum(['in', 'out']).optional(),
}

/** The machines that a group has or could have. */
export const listGroupMachines = listEndpoint({
  name: 'fleet.listGroupMachines',
  path: '/api/machine-groups/{id}/machines',
  access: 'machineGroup.read',
  summary: 'Machines in sight that are in the group, or could be: those of its merchant and of merchants below',
  filters: { id: zId, ...memberFilters },
  sorts: ['code'],
  item: z.object({
    id: z.int(),
    code: z.string(),
    name: z.string(),
    category: z.enum(machineCategories),
    pointName: z.string(),
    city: z.string(),
    isMember: z.boolean(),
  }),
})

const changed = z.object({ id: z.int() })

export const addGroup = endpoint({
  name: 'fleet.addGroup',
  method: 'POST',
  path: '/api/machine-groups',
  access: 'machineGroup.write',
  writes: true,
  input: z.strictObject({ merchantId: zId, ...editable }),
  output: changed,
  refusals: ['request.notFound', 'group.nameTaken'],
  summary: 'Add a machine group to a merchant',
})

export const editGroup = endpoint({
  name: 'fleet.editGroup',
  method: 'POST',
  path: '/api/machine-groups/{id}/edit',
  access: 'machineGroup.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ...editable }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'group.nameTaken'],
  summary: 'Change name, remark and place of a group',
})

export const removeGroup = endpoint({
  name: 'fleet.removeGroup',
  method: 'POST',
  path: '/api/machine-groups/{id}/remove',
  access: 'machineGroup.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'request.inUse'],
  summary: 'Delete a group that nothing uses; its machines stay as they are',
})

/** Named one by one, or all that a filter finds, with the number of them that the person saw. */
export const zChosen = z.union([
  z.strictObject({ machineIds: z.array(zId).min(1).max(500) }),
  z.strictObject({ filter: z.strictObject(memberFilters), count: z.int().min(0).max(1_000_000) }),
])

const membersVerb = (name: string, path: string, summary: string) =>
  endpoint({
    name: `fleet.${name}`,
    method: 'POST',
    path: `/api/machine-groups/{id}/${path}`,
    access: 'machineGroup.write',
    writes: true,
    input: z.strictObject({ id: zId, machines: zChosen }),
    output: z.object({ changed: z.int() }),
    refusals: ['request.notFound', 'group.changed'],
    summary,
  })

export const addMembers = membersVerb('addMembers', 'add', 'Put machines in a group; answers how many are new')
export const dropMembers = membersVerb('dropMembers', 'drop', 'Take machines out of a group')
