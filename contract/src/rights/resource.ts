import { z } from 'zod'
import { endpoint, listEndpoint, zId, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { languages } from '../kernel/text'
import { stateNames } from '../kernel/states'

export const resourceKinds = ['function', 'external'] as const
export const resourceStates = ['on', 'off'] as const
export const resourceState = stateNames(resourceStates)

export const resourceRefusals = defineRefusals('rights', {
  'resource.codeTaken': 409,
  /** Without these nobody could switch anything on again. */
  'resource.essential': 403,
  'resource.unknown': 404,
  'resource.state': 409,
})

const zTitle = z.string().trim().max(40).optional()
/** In each language, or in some: the others show the first there is. */
const zTitles = z
  .strictObject({ zh: zTitle, en: zTitle, fr: zTitle, ko: zTitle })
  .refine((titles) => Object.values(titles).some(Boolean), { path: ['zh'] })

const roleOfResource = z.object({ id: z.int(), name: z.string(), merchantName: z.string() })

const resource = z.object({
  /** The code: what is shipped has no row with a number. */
  id: z.string(),
  code: z.string(),
  name: z.string(),
  kind: z.enum(resourceKinds),
  state: z.enum(resourceStates),
  group: z.string(),
  pageCount: z.int(),
  callCount: z.int(),
  roleCount: z.int(),
  userCount: z.int(),
  url: z.string().nullable(),
})
export type Resource = z.output<typeof resource>

export const resourceFields = {
  name: { kind: 'text' },
  code: { kind: 'code' },
  kind: stateField('resourceKind', resourceKinds, { function: 'idle', external: 'busy' }),
  state: stateField('resourceState', resourceStates, { on: 'good', off: 'bad' }),
  group: { kind: 'text' },
  pageCount: { kind: 'count' },
  callCount: { kind: 'count' },
  roleCount: { kind: 'count' },
  userCount: { kind: 'count' },
  url: { kind: 'text' },
} satisfies Fields

export const listResources = listEndpoint({
  name: 'rights.listResources',
  path: '/api/resources',
  access: 'resource.read',
  summary: 'What the product can do, permission by permission, and the addresses of other systems',
  filters: {
    q: zSearch.optional(),
    kind: z.enum(resourceKinds).optional(),
    state: z.enum(resourceStates).optional(),
  },
  sorts: ['menu', 'name', 'users'],
  item: resource,
})

/** By its code, since what is shipped has no row of its own. */
const byCode = z.strictObject({ code: z.string().max(80) })
const call = z.object({ name: z.string(), method: z.string(), path: z.string() })

export const getResource = endpoint({
  name: 'rights.getResource',
  method: 'GET',
  path: '/api/resource',
  access: 'resource.read',
  input: byCode,
  output: resource.extend({
    pages: z.array(z.object({ path: z.string(), title: z.string() })),
    calls: z.array(call),
    roles: z.array(roleOfResource),
    off: z.object({ reason: z.string(), at: z.string(), by: z.string() }).nullable(),
    isEssential: z.boolean(),
    /** Of an address of another system. */
    external: z
      .object({
        id: z.int(),
        titles: z.partialRecord(z.enum(languages), z.string()),
        description: z.string(),
        menuGroup: z.string().nullable(),
        version: z.int(),
      })
      .nullable(),
  }),
  refusals: ['resource.unknown'],
  summary: 'A resource with its pages, its calls and the roles that hold it',
})

const reason = z.string().trim().min(2).max(200)

export const switchOff = endpoint({
  name: 'rights.switchOff',
  method: 'POST',
  path: '/api/resource/switch-off',
  access: 'resource.write',
  writes: true,
  input: byCode.extend({ reason }),
  output: z.object({}),
  refusals: ['resource.unknown', 'resource.essential', 'resource.state', 'role.protected'],
  summary: 'Refuse a function to everybody at once',
})

export const switchOn = endpoint({
  name: 'rights.switchOn',
  method: 'POST',
  path: '/api/resource/switch-on',
  access: 'resource.write',
  writes: true,
  input: byCode,
  output: z.object({}),
  refusals: ['resource.unknown', 'resource.state', 'role.protected'],
  summary: 'Give a function back to whoever may use it',
})

const external = {
  titles: zTitles,
  url: z.url({ protocol: /^https?$/ }).max(500),
  description: z.string().trim().max(200),
  /** A group of the menu; null shows it nowhere. */
  menuGroup: z.string().max(20).nullable(),
}

export const createExternal = endpoint({
  name: 'rights.createExternal',
  method: 'POST',
  path: '/api/resources',
  access: 'resource.write',
  writes: true,
  input: z.strictObject({ code: z.string().regex(/^ext\.[a-zA-Z]{2,40}$/), ...external }),
  output: z.object({ id: z.int(), code: z.string() }),
  refusals: ['resource.codeTaken', 'role.protected', 'menu.unknown'],
  summary: 'Add the address of another system as something a role may be given',
})

export const editExternal = endpoint({
  name: 'rights.editExternal',
  method: 'POST',
  path: '/api/resources/{id}',
  access: 'resource.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.coerce.number().int(), ...external }),
  output: z.object({ version: z.int() }),
  refusals: ['request.notFound', 'edit.stale', 'menu.unknown'],
  summary: 'Change the address of another system',
})

export const deleteExternal = endpoint({
  name: 'rights.deleteExternal',
  method: 'POST',
  path: '/api/resources/{id}/delete',
  access: 'resource.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({}),
  refusals: ['request.notFound', 'request.inUse'],
  summary: 'Delete the address of another system that no role holds',
})
