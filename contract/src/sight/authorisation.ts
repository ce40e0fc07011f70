import { z } from 'zod'
import { machineCategories } from '../fleet/machine'
import { merchantTypes } from '../merchant/merchant'
import { endpoint, listEndpoint, type Permission, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'

/** To whom a machine may be authorised, by the word that stands in paths. */
export const grantees = { merchant: 'merchants', organisation: 'organisations', user: 'users' } as const
export type Grantee = keyof typeof grantees

/** More than this many are named by the filter that finds them, not one by one. */
export const MOST_NAMED = 500

export const refusals = defineRefusals('sight', {
  /** The filter finds another number of machines than the person saw when asked. */
  'authorisation.changed': 409,
  /** Administrators see the machines of their merchant as they are. */
  'authorisation.needless': 409,
  'authorisation.stopped': 409,
  'authorisation.past': 422,
})

/** What the filter asks for, by whether a machine is authorised. */
export const grantStates = { free: false, granted: true } as const
export const grantStateNames = Object.keys(grantStates) as (keyof typeof grantStates)[]

const filters = {
  q: zSearch.optional(),
  province: zSearch.optional(),
  category: z.enum(machineCategories).optional(),
  ownerId: zId.optional(),
  groupId: zId.optional(),
  state: z.enum(grantStateNames).optional(),
}

const machine = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  category: z.enum(machineCategories),
  pointName: z.string(),
  province: z.string(),
  city: z.string(),
  ownerName: z.string(),
  isGranted: z.boolean(),
  /** False for what others authorised: it is shown, and theirs to change. */
  mayChange: z.boolean(),
  grantedAt: zInstant.nullable(),
  /** Null for somebody out of the caller's sight. */
  grantedBy: z.string().nullable(),
  endsAt: zInstant.nullable(),
})
export type GrantableMachine = z.output<typeof machine>

export const grantFields = {
  code: { kind: 'code' },
  name: { kind: 'text' },
  category: { kind: 'state', words: 'category', tones: {} },
  pointName: { kind: 'text' },
  province: { kind: 'region' },
  city: { kind: 'region' },
  ownerName: { kind: 'text' },
  isGranted: { kind: 'boolean' },
  grantedAt: { kind: 'dateTime' },
  grantedBy: { kind: 'text' },
  endsAt: { kind: 'dateTime' },
} satisfies Fields

/** Named one by one, or all that a filter finds, with the number of them that the person saw. */
const selection = z.union([
  z.strictObject({ machineIds: z.array(zId).min(1).max(MOST_NAMED) }),
  z.strictObject({ filter: z.strictObject(filters), count: z.int().min(0).max(1_000_000) }),
])
export type MachineSelection = z.output<typeof selection>

const logEntry = z.object({
  id: z.int(),
  at: zInstant,
  /** Null for somebody out of the caller's sight. */
  byName: z.string().nullable(),
  action: z.enum(['grant', 'revoke']),
  count: z.int(),
  endsAt: zInstant.nullable(),
})
export type GrantLogEntry = z.output<typeof logEntry>

/** The last day on which a grant holds. */
const zUntil = zDay.refine((day) => day < '2100')

const listOf = (grantee: Grantee, access: Permission) =>
  listEndpoint({
    name: `sight.list${title(grantee)}Machines`,
    path: `/api/${grantees[grantee]}/{id}/grantable-machines`,
    access,
    summary: `Machines that may be authorised to the ${grantee}, with those that are; sums count what may be changed`,
    filters: { id: zId, ...filters },
    sorts: ['code'],
    item: machine,
    sums: { found: z.int(), changeable: z.int() },
  })

const verbOf = <I extends z.ZodRawShape>(verb: 'grant' | 'revoke', grantee: Grantee, access: Permission, more: I) =>
  endpoint({
    name: `sight.${verb}${verb === 'grant' ? 'To' : 'From'}${title(grantee)}`,
    method: 'POST',
    path: `/api/${grantees[grantee]}/{id}/${verb}-machines`,
    access,
    writes: true,
    input: z.strictObject({ id: zId, machines: selection, ...more }),
    output: z.object({ changed: z.int() }),
    refusals: ['request.notFound', ...refusals],
    summary: `${title(verb)} machines, named or all that a filter finds; answers how many changed`,
  })

const grantOf = (grantee: Grantee, access: Permission) =>
  verbOf('grant', grantee, access, { untilDay: zUntil.nullable().default(null) })
const revokeOf = (grantee: Grantee, access: Permission) => verbOf('revoke', grantee, access, {})

const historyOf = (grantee: Grantee, access: Permission) =>
  listEndpoint({
    name: `sight.list${title(grantee)}GrantLog`,
    path: `/api/${grantees[grantee]}/{id}/grant-log`,
    access,
    summary: `Who authorised machines to the ${grantee} or took them back, newest first`,
    filters: { id: zId },
    sorts: ['newest'],
    item: logEntry,
  })

const title = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

export const listMerchantMachines = listOf('merchant', 'merchant.authorise')
export const grantToMerchant = grantOf('merchant', 'merchant.authorise')
export const revokeFromMerchant = revokeOf('merchant', 'merchant.authorise')
export const listMerchantGrantLog = historyOf('merchant', 'merchant.authorise')

export const listOrganisationMachines = listOf('organisation', 'user.authorise')
export const grantToOrganisation = grantOf('organisation', 'user.authorise')
export const revokeFromOrganisation = revokeOf('organisation', 'user.authorise')
export const listOrganisationGrantLog = historyOf('organisation', 'user.authorise')

export const listUserMachines = listOf('user', 'user.authorise')
export const grantToUser = grantOf('user', 'user.authorise')
export const revokeFromUser = revokeOf('user', 'user.authorise')
export const listUserGrantLog = historyOf('user', 'user.authorise')

/** All four calls about one kind of grantee. */
export const grantCalls = {
  merchant: {
    list: listMerchantMachines,
    grant: grantToMerchant,
    revoke: revokeFromMerchant,
    history: listMerchantGrantLog,
  },
  organisation: {
    list: listOrganisationMachines,
    grant: grantToOrganisation,
    revoke: revokeFromOrganisation,
    history: listOrganisationGrantLog,
  },
  user: { list: listUserMachines, grant: grantToUser, revoke: revokeFromUser, history: listUserGrantLog },
} as const

export const listGrantLogMachines = listEndpoint({
  name: 'sight.listGrantLogMachines',
  path: '/api/grant-logs/{id}/machines',
  access: 'machine.read',
  summary: 'The machines of one entry of an authorisation history that are in sight',
  filters: { id: zId },
  sorts: ['code'],
  item: z.object({ id: z.int(), code: z.string(), name: z.string(), pointName: z.string() }),
})

export const listMerchantGrantees = endpoint({
  name: 'sight.listMerchantGrantees',
  method: 'GET',
  path: '/api/grantees/merchants',
  access: 'merchant.authorise',
  input: z.strictObject({}),
  output: z.object({
    items: z.array(
      z.object({
        id: z.int(),
        parentId: z.int().nullable(),
        code: z.string(),
        name: z.string(),
        type: z.enum(merchantTypes),
        isActive: z.boolean(),
        ownedCount: z.int(),
        grantedCount: z.int(),
      }),
    ),
  }),
  summary: 'The merchants in sight with the machines that they own and that are authorised to them',
})

/** So many people are listed; more are found by searching. */
export const MOST_PEOPLE = 1_000

export const listTeamGrantees = endpoint({
  name: 'sight.listTeamGrantees',
  method: 'GET',
  path: '/api/grantees/team',
  access: 'user.authorise',
  /** `userId` asks for one person, however many there are. */
  input: z.strictObject({ q: zSearch.optional(), userId: zId.optional() }),
  output: z.object({
    merchants: z.array(z.object({ id: z.int(), parentId: z.int().nullable(), name: z.string() })),
    units: z.array(
      z.object({
        id: z.int(),
        parentId: z.int().nullable(),
        merchantId: z.int(),
        name: z.string(),
        isActive: z.boolean(),
        grantedCount: z.int(),
      }),
    ),
    people: z.array(
      z.object({
        id: z.int(),
        unitId: z.int().nullable(),
        merchantId: z.int(),
        account: z.string(),
        name: z.string(),
        kind: z.enum(['ordinary', 'doctor']),
        isActive: z.boolean(),
        grantedCount: z.int(),
      }),
    ),
    hasMore: z.boolean(),
  }),
  summary: 'Units and people in sight to whom machines may be authorised; administrators need none',
})
