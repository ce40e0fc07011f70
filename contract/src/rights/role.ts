import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { roleSurfaces } from './surface'

/** The line of work that a role is for; it grants nothing by itself. */
export const roleTypes = [
  'management',
  'operation',
  'maintenance',
  'pharmacy',
  'medical',
  'finance',
  'service',
  'other',
] as const

/** A template is the platform's: every merchant may give and copy it, the platform alone changes it. */
export const roleOrigins = ['merchant', 'template'] as const

export const roleRefusals = defineRefusals('rights', {
  'role.nameTaken': 409,
  /** Whoever gives rights gives only what they have. */
  'role.notYours': 403,
  /** A template, or the role that grants everything. */
  'role.protected': 403,
  'role.unknownPermission': 422,
})

const roleName = z.string().trim().min(1).max(40)
const description = z.string().trim().max(200)

const role = z.object({
  id: z.int(),
  name: z.string(),
  surface: z.enum(roleSurfaces),
  type: z.enum(roleTypes),
  description: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  origin: z.enum(roleOrigins),
  userCount: z.int(),
  permissionCount: z.int(),
  version: z.int(),
  /** Whether the person may rename, change or delete it; others may only be given and copied. */
  isEditable: z.boolean(),
})
export type Role = z.output<typeof role>

export const roleFields = {
  name: { kind: 'text' },
  surface: stateField('surface', roleSurfaces, { web: 'busy', app: 'good' }),
  type: stateField('roleType', roleTypes, {
    management: 'warn',
    operation: 'idle',
    maintenance: 'idle',
    pharmacy: 'idle',
    medical: 'idle',
    finance: 'idle',
    service: 'idle',
    other: 'idle',
  }),
  description: { kind: 'longText' },
  merchantName: { kind: 'text' },
  merchantId: { kind: 'tree' },
  origin: stateField('roleOrigin', roleOrigins, { merchant: 'idle', template: 'busy' }),
  userCount: { kind: 'count' },
  permissionCount: { kind: 'count' },
} satisfies Fields

export const listRoles = listEndpoint({
  name: 'rights.listRoles',
  path: '/api/roles',
  access: 'role.read',
  summary: "Roles of the merchants in sight and the platform's templates",
  filters: {
    q: zSearch.optional(),
    surface: z.enum(roleSurfaces).optional(),
    type: zAnyOf(roleTypes).optional(),
    merchantId: zId.optional(),
    origin: z.enum(roleOrigins).optional(),
  },
  sorts: ['name', 'users', 'permissions'],
  item: role,
})

const holder = z.object({ id: z.int(), account: z.string(), displayName: z.string(), merchantName: z.string() })

export const getRole = endpoint({
  name: 'rights.getRole',
  method: 'GET',
  path: '/api/roles/{id}',
  access: 'role.read',
  input: z.strictObject({ id: zId }),
  output: role.extend({
    permissions: z.array(z.string()),
    /** The first hundred, by account. */
    holders: z.array(holder),
  }),
  refusals: ['request.notFound'],
  summary: 'A role with what it grants and who holds it',
})

export const createRole = endpoint({
  name: 'rights.createRole',
  method: 'POST',
  path: '/api/roles',
  access: 'role.write',
  writes: true,
  input: z.strictObject({
    name: roleName,
    surface: z.enum(roleSurfaces).default('web'),
    type: z.enum(roleTypes).default('other'),
    /** The person's own merchant when left out. */
    merchantId: zId.optional(),
    isTemplate: z.boolean().default(false),
    description: description.default(''),
  }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'role.nameTaken', 'role.protected'],
  summary: 'Make a role without permissions',
})

export const editRole = endpoint({
  name: 'rights.editRole',
  method: 'POST',
  path: '/api/roles/{id}',
  access: 'role.write',
  writes: true,
  input: z.strictObject({
    id: zId,
    version: z.coerce.number().int(),
    name: roleName,
    type: z.enum(roleTypes),
    description,
  }),
  output: z.object({ version: z.int() }),
  refusals: ['request.notFound', 'edit.stale', 'role.nameTaken', 'role.protected'],
  summary: 'Rename and describe a role',
})

export const copyRole = endpoint({
  name: 'rights.copyRole',
  method: 'POST',
  path: '/api/roles/{id}/copy',
  access: 'role.write',
  writes: true,
  input: z.strictObject({ id: zId, name: roleName }),
  /** Permissions that the person does not hold are left out of the copy. */
  output: z.object({ id: z.int(), leftOut: z.int() }),
  refusals: ['request.notFound', 'role.nameTaken'],
  summary: "Copy a role into the person's own merchant, with as much of it as they hold themselves",
})

export const deleteRole = endpoint({
  name: 'rights.deleteRole',
  method: 'POST',
  path: '/api/roles/{id}/delete',
  access: 'role.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({}),
  refusals: ['request.notFound', 'request.inUse', 'role.protected'],
  summary: 'Delete a role that nobody holds',
})

const codes = z.array(z.string().max(80)).max(1000)
const page = z.object({ path: z.string(), title: z.string() })

const change = z.object({ appear: z.array(page), vanish: z.array(page) })

export const previewPermissions = endpoint({
  name: 'rights.previewPermissions',
  method: 'POST',
  path: '/api/roles/{id}/preview',
  access: 'role.write',
  input: z.strictObject({ id: zId, permissions: codes }),
  output: z.object({
    /** Menus of somebody who holds this role alone. */
    menus: change,
    granted: z.array(z.string()),
    taken: z.array(z.string()),
    users: z.int(),
    /** Of those, for whom nothing changes: other roles of theirs grant the same. */
    untouched: z.int(),
  }),
  refusals: ['request.notFound', 'role.unknownPermission'],
  summary: 'What a change of permissions would do, before it is saved',
})

export const setPermissions = endpoint({
  name: 'rights.setPermissions',
  method: 'POST',
  path: '/api/roles/{id}/permissions',
  access: 'role.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.coerce.number().int(), permissions: codes }),
  output: z.object({ version: z.int(), users: z.int() }),
  refusals: ['request.notFound', 'edit.stale', 'role.notYours', 'role.protected', 'role.unknownPermission'],
  summary: 'Give a role exactly these permissions; holds at once for everybody who has it',
})

const action = z.object({
  code: z.string(),
  /** Held by the person, who may therefore give it and take it. */
  isYours: z.boolean(),
  isOff: z.boolean(),
  calls: z.int(),
})
const resource = z.object({
  /** Of a screen, or `noun:<noun>` for what no page belongs to, or `external:<id>`. */
  key: z.string(),
  path: z.string(),
  title: z.string(),
  actions: z.array(action),
})

export const getPermissionTree = endpoint({
  name: 'rights.getPermissionTree',
  method: 'GET',
  path: '/api/permission-tree',
  access: 'role.read',
  input: z.strictObject({}),
  output: z.object({ groups: z.array(z.object({ key: z.string(), title: z.string(), resources: z.array(resource) })) }),
  summary: 'What a role may be given: groups, their pages, and what can be done on each',
})
