import { z } from 'zod'
import { userKinds } from '../identity/permissions'
import { passwordRefusals, zFirstPassword } from '../identity/password'
import { normaliseAccount } from '../identity/signin'
import { type HistoryEvent, historyEvent } from '../kernel/changes'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zPhone } from '../identity/phone'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { languages } from '../kernel/text'
import { roleSurfaces } from '../rights/surface'

export const userState = stateTable({
  initial: 'active',
  states: ['active', 'disabled'],
  moves: { disable: { from: ['active'], to: 'disabled' }, enable: { from: ['disabled'], to: 'active' } },
})

export const userRefusals = defineRefusals('people', {
  'user.accountTaken': 409,
  'user.state': 409,
  /** Nobody disables, demotes or gives roles to themselves. */
  'user.self': 403,
  /** Without an administrator of the platform nobody could make one. */
  'user.lastAdmin': 409,
  'user.kindNotYours': 403,
  'user.noPhone': 409,
  'user.notBlocked': 409,
  'user.unitNotHere': 409,
  'user.roleNotHere': 409,
})
/** Whoever has more rights than the caller is theirs to look at and not to change. */
const holdsMore = passwordRefusals.filter((code) => code === 'account.holdsMore')
/** And so is making somebody like that. */
const wouldHoldMore = passwordRefusals.filter((code) => code === 'account.wouldHoldMore')

const facts = {
  id: z.int(),
  account: z.string(),
  name: z.string(),
  kind: z.enum(userKinds),
  merchantId: z.int(),
  merchantName: z.string(),
  organisationId: z.int().nullable(),
  organisationName: z.string().nullable(),
  roleNames: z.string(),
  phone: z.string().nullable(),
  state: z.enum(userState.states),
  lastSignInAt: zInstant.nullable(),
  machineCount: z.int(),
}
const user = z.object(facts)
export type User = z.output<typeof user>

export const listUsers = listEndpoint({
  name: 'people.listUsers',
  path: '/api/users',
  access: 'user.read',
  summary: 'People of the merchants in sight, newest first',
  filters: {
    /** Account, name or phone. */
    q: zSearch.optional(),
    merchantId: zId.optional(),
    /** The unit or one below it. */
    organisationId: zId.optional(),
    kind: zAnyOf(userKinds).optional(),
    state: z.enum(userState.states).optional(),
    signedIn: z.enum(['ever', 'never']).optional(),
  },
  sorts: ['newest', 'account', 'name'],
  item: user,
})

const kindField = stateField('userKind', userKinds, {
  platform_admin: 'warn',
  merchant_admin: 'busy',
  ordinary: 'idle',
  doctor: 'good',
})

export const userFields = {
  account: { kind: 'code' },
  name: { kind: 'text' },
  kind: kindField,
  merchantName: { kind: 'text' },
  organisationName: { kind: 'text' },
  roleNames: { kind: 'text' },
  phone: { kind: 'phone' },
  state: stateField('userState', userState, { active: 'good', disabled: 'idle' }),
  signedIn: stateField('signedIn', ['ever', 'never'], { ever: 'good', never: 'warn' }),
  lastSignInAt: { kind: 'dateTime', saysNever: true },
  machineCount: { kind: 'count' },
} satisfies Fields

/** Why the caller may not change the user, if so. */
export const hindrances = ['self', 'holdsMore'] as const

const heldRole = z.object({
  id: z.int(),
  name: z.string(),
  surface: z.enum(roleSurfaces),
  permissions: z.array(z.string()),
})

export type UserEvent = HistoryEvent

export const getUser = endpoint({
  name: 'people.getUser',
  method: 'GET',
  path: '/api/users/{id}',
  access: 'user.read',
  input: z.strictObject({ id: zId }),
  output: user.extend({
    email: z.string().nullable(),
    language: z.enum(languages),
    createdAt: zInstant,
    version: z.int(),
    /** The password is an initial one that was sent and not changed yet. */
    mustChangePassword: z.boolean(),
    openSessions: z.int(),
    /** Guessing at the account is blocked until then. */
    blockedUntil: zInstant.nullable(),
    hindrance: z.enum(hindrances).nullable(),
    roles: z.array(heldRole),
    history: z.array(historyEvent),
  }),
  refusals: ['request.notFound'],
  summary: 'One person with roles, sessions and the last changes',
})
export type UserDetail = z.output<typeof getUser.output>

const offeredRole = heldRole.extend({
  isTemplate: z.boolean(),
  /** False: it holds more than the caller, who can't give it. */
  isCovered: z.boolean(),
})
export type OfferedRole = z.output<typeof offeredRole>

export const getUserChoices = endpoint({
  name: 'people.getUserChoices',
  method: 'GET',
  path: '/api/user-choices',
  access: 'user.read',
  /** The caller's own merchant when left out. */
  input: z.strictObject({ merchantId: zId.optional() }),
  output: z.object({
    merchantId: z.int(),
    merchants: z.array(z.object({ id: z.int(), parentId: z.int().nullable(), name: z.string() })),
    organisations: z.array(z.object({ id: z.int(), parentId: z.int().nullable(), name: z.string() })),
    kinds: z.array(z.enum(userKinds)),
    roles: z.array(offeredRole),
  }),
  refusals: ['request.notFound'],
  summary: 'What a person of the merchant may be given: units, permission levels and roles',
})

const zAccount = z.string().transform(normaliseAccount).pipe(z.string().min(2).max(64).regex(/^\S+$/))
const name = z.string().trim().min(1).max(80)
const email = z.union([z.literal('').transform(() => null), z.email().max(120)]).nullable()

const editable = {
  name,
  phone: zPhone,
  email: email.default(null),
  organisationId: zId.nullable().default(null),
  kind: z.enum(userKinds),
  language: z.enum(languages).default('zh'),
}
const changed = z.object({ id: z.int() })
export const withPassword = changed.extend({ firstPassword: zFirstPassword })
const writes = { method: 'POST', access: 'user.write', writes: true } as const

export const addUser = endpoint({
  ...writes,
  name: 'people.addUser',
  path: '/api/users',
  input: z.strictObject({
    account: zAccount,
    ...editable,
    /** The caller's own merchant when left out. */
    merchantId: zId.optional(),
    roleIds: z.array(zId).max(100).default([]),
  }),
  output: withPassword,
  refusals: [
    'request.notFound',
    'user.accountTaken',
    'user.kindNotYours',
    'user.unitNotHere',
    'user.roleNotHere',
    'role.notYours',
    ...wouldHoldMore,
  ],
  summary: 'Add a person; the first password goes by SMS, or is answered this once where none is carried',
})

/** The account stays: passwords are proven for it. */
export const editUser = endpoint({
  ...writes,
  name: 'people.editUser',
  path: '/api/users/{id}/edit',
  input: z.strictObject({ id: zId, version: z.int(), ...editable }),
  output: changed,
  refusals: [
    'request.notFound',
    'edit.stale',
    'user.kindNotYours',
    'user.unitNotHere',
    'user.self',
    'user.lastAdmin',
    ...holdsMore,
    ...wouldHoldMore,
  ],
  summary: 'Change what is known of a person, and the permission level',
})

export const assignRoles = endpoint({
  ...writes,
  name: 'people.assignRoles',
  path: '/api/users/{id}/roles',
  input: z.strictObject({ id: zId, version: z.int(), roleIds: z.array(zId).max(100) }),
  output: changed,
  refusals: [
    'request.notFound',
    'edit.stale',
    'user.self',
    'user.lastAdmin',
    'user.roleNotHere',
    'role.notYours',
    ...holdsMore,
    ...wouldHoldMore,
  ],
  summary: 'Give a person exactly these Web and App roles',
})

const verb = (verbName: string, path: string, summary: string, refusals: readonly string[]) =>
  endpoint({
    ...writes,
    name: `people.${verbName}`,
    path: `/api/users/{id}/${path}`,
    input: z.strictObject({ id: zId }),
    output: changed,
    refusals: ['request.notFound', ...holdsMore, ...refusals],
    summary,
  })

export const disableUser = verb('disableUser', 'disable', 'Let a person in no more; open sessions end at once', [
  'user.state',
  'user.self',
  'user.lastAdmin',
])
export const enableUser = verb('enableUser', 'enable', 'Let a disabled person in again', ['user.state'])
export const resetUserPassword = endpoint({
  ...writes,
  name: 'people.resetUserPassword',
  path: '/api/users/{id}/reset-password',
  input: z.strictObject({ id: zId }),
  output: withPassword,
  refusals: ['request.notFound', ...holdsMore, 'user.noPhone', 'user.self'],
  summary: 'A new first password, by SMS or answered this once where none is carried; open sessions end at once',
})
export const unblockUser = verb('unblockUser', 'unblock', 'Let an account be tried again after wrong passwords', [
  'user.notBlocked',
])
