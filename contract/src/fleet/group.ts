import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { machineCategories } from './machine'

export const groupRefusals = defineRefusals('fleet', {
  'group.nameTaken': 409,
  /** The filter finds another number of machines than the person saw. */
  'group.changed': 409,
})

export const machineGroup = entity({
  domain: 'fleet',
  kind: 'machineGroup',
  path: '/api/machine-groups',
  right: 'machineGroup',
  owner: 'merchant',
  editable: {
    name: z.string().trim().min(1).max(60),
    remark: z.string().trim().max(200).default(''),
    sort: z.coerce.number().int().min(0).max(9999).default(0),
  },
  /** Machines in sight, and assortments that hold for it. */
  facts: { machineCount: z.int(), usedBy: z.int() },
  show: { remark: { kind: 'longText' } },
  unique: { machine_group_merchant_id_name_key: 'group.nameTaken' },
  filters: {
    group: zSearch.optional(),
    /** The same, as pickers ask. */
    q: zSearch.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['order', 'name', 'machines'],
})

/** Also what a picker of groups asks. */
export const listMachineGroups = machineGroup.list('Machine groups in sight, in the order that was set')
export const getMachineGroup = machineGroup.get('One group with what it is used for', {
  /** What holds for it, by name. */
  uses: z.array(z.string()),
})
export type GroupDetail = z.output<typeof getMachineGroup.output>
export const addMachineGroup = machineGroup.add('Add a machine group to a merchant')
export const editMachineGroup = machineGroup.edit('Change name, remark and place of a group')
export const removeMachineGroup = machineGroup.remove('Delete a group that nothing uses; its machines stay as they are')

const memberFilters = {
  q: zSearch.optional(),
  city: zSearch.optional(),
  category: zAnyOf(machineCategories).optional(),
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
