import { z } from 'zod'
import { zFirstPassword } from '../identity/password'
import { historyEvent } from '../kernel/changes'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zPhone } from '../identity/phone'
import { defineRefusals } from '../kernel/refusal'
import { merchantState } from './states'

/** Spec §6: ordinary, product and (in another reading) pharmaceutical merchants; the platform is the tree's root. */
export const merchantTypes = ['platform', 'ordinary', 'product', 'pharmaceutical'] as const
export const childTypes = ['ordinary', 'product', 'pharmaceutical'] as const

export const merchantRefusals = defineRefusals('merchant', {
  'merchant.codeTaken': 409,
  'merchant.accountTaken': 409,
  'merchant.state': 409,
  'merchant.root': 409,
  /** Machines of it sell medicine. */
  'merchant.pharmacyInUse': 409,
  'merchant.own': 403,
  'merchant.belowItself': 409,
  'merchant.parentStopped': 409,
})

const merchant = z.object({
  id: z.int(),
  parentId: z.int().nullable(),
  code: z.string(),
  name: z.string(),
  type: z.enum(merchantTypes),
  state: z.enum(merchantState.states),
  machineCount: z.int(),
})

export const listMerchants = endpoint({
  name: 'merchant.listMerchants',
  method: 'GET',
  path: '/api/merchants',
  access: 'session',
  input: z.strictObject({}),
  output: z.object({ items: z.array(merchant) }),
  summary: 'The merchants in sight, flat, parents before children; for filters and pickers',
})

const row = merchant.extend({
  /** The names from the highest in sight down to itself. */
  way: z.array(z.string()),
  childCount: z.int(),
  userCount: z.int(),
  contact: z.string(),
  phone: z.string(),
  servicePhone: z.string(),
  collectsPayment: z.boolean(),
  createdAt: zInstant,
})
export type MerchantRow = z.output<typeof row>

export const listMerchantTree = listEndpoint({
  name: 'merchant.listMerchantTree',
  path: '/api/merchant-tree',
  access: 'merchant.read',
  summary: 'Merchants in sight, each below its parent, with what hangs on them',
  filters: {
    q: zSearch.optional(),
    /** It and all below it. */
    merchantId: zId.optional(),
    type: zAnyOf(merchantTypes).optional(),
    state: z.enum(merchantState.states).optional(),
  },
  sorts: ['tree', 'name', 'newest'],
  item: row,
})

export const merchantFields = {
  way: { kind: 'tree' },
  code: { kind: 'code' },
  name: { kind: 'text' },
  type: { kind: 'state', words: 'merchantType', tones: {} },
  state: stateField('merchantState', merchantState, { active: 'good', stopped: 'idle' }),
  machineCount: { kind: 'count' },
  userCount: { kind: 'count' },
  childCount: { kind: 'count' },
  contact: { kind: 'text' },
  phone: { kind: 'phone' },
  servicePhone: { kind: 'phone' },
  collectsPayment: { kind: 'boolean' },
  createdAt: { kind: 'dateTime' },
} satisfies Fields

export const zServicePhone = z
  .string()
  .trim()
  .regex(/^\+?\d[\d -]{3,18}\d$/)
  .or(z.literal(''))

const currencies = new Set(Intl.supportedValuesOf('currency'))
/** One that there is. */
const zCurrency = z
  .string()
  .trim()
  .regex(/^[A-Z]{3}$/)
  .refine((code) => currencies.has(code))

/** What its own administrators may not change: what it is, what it may do with money, how much it may give away. */
export const limits = {
  type: z.enum(childTypes),
  collectsPayment: z.boolean().default(false),
  pickupCodeLimit: z.coerce.number().int().min(0).max(1_000_000).nullable().default(null),
  /** ISO 4217, in which it counts beside the platform's currency; null: in that alone. */
  currency: zCurrency.nullable().default(null),
  /** What one unit of its currency is in the platform's; up to 6 decimals count. */
  exchangeRate: z.coerce.number().min(0.000001).max(100_000).default(1),
  hasHighGo: z.boolean().default(false),
  hasPharmacy: z.boolean().default(false),
  hasShopping: z.boolean().default(false),
}

const facts = {
  name: z.string().trim().min(1).max(80),
  contact: z.string().trim().max(40).default(''),
  phone: z
    .string()
    .trim()
    .max(20)
    .regex(/^(\+?\d[\d -]{3,18}\d)?$/)
    .default(''),
  address: z.string().trim().max(200).default(''),
  servicePhone: zServicePhone.default(''),
  /** A code of the dictionary of merchant categories. */
  category: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_-]{0,20}$/)
    .default(''),
  tags: z
    .string()
    .trim()
    .max(200)
    .regex(/^([A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)?$/)
    .default(''),
  singleSession: z.boolean().default(false),
}

const changed = z.object({ id: z.int() })

export const createMerchant = endpoint({
  name: 'merchant.createMerchant',
  method: 'POST',
  path: '/api/merchants',
  access: 'merchant.write',
  writes: true,
  input: z.strictObject({
    parentId: zId,
    code: z
      .string()
      .trim()
      .regex(/^[A-Z0-9]{2,20}$/),
    ...facts,
    ...limits,
    /** Of its first administrator. */
    loginName: z
      .string()
      .trim()
      .regex(/^[\p{L}\p{N}._@-]{2,64}$/u),
    adminName: z.string().trim().min(1).max(80),
    adminPhone: zPhone,
  }),
  output: z.object({ id: z.int(), adminUserId: z.int(), firstPassword: zFirstPassword }),
  refusals: ['request.notFound', ...merchantRefusals],
  summary: 'A merchant below one in sight, with its first administrator and the way of their first password',
})

export const editMerchant = endpoint({
  name: 'merchant.editMerchant',
  method: 'POST',
  path: '/api/merchants/{id}/edit',
  access: 'merchant.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ...facts, ...limits, type: z.enum(merchantTypes) }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', ...merchantRefusals],
  summary: 'Change what is known of a merchant and what it may do',
})

export const stopMerchant = endpoint({
  name: 'merchant.stopMerchant',
  method: 'POST',
  path: '/api/merchants/{id}/stop',
  access: 'merchant.stop',
  writes: true,
  input: z.strictObject({
    id: zId,
    machines: z.enum(['sell', 'stop']),
    reason: z.string().trim().min(2).max(200),
  }),
  output: z.object({ id: z.int(), sessionsEnded: z.int() }),
  refusals: ['request.notFound', ...merchantRefusals],
  summary: 'Stop a merchant: its users are out at once, its machines sell on or refuse orders',
})

export const resumeMerchant = endpoint({
  name: 'merchant.resumeMerchant',
  method: 'POST',
  path: '/api/merchants/{id}/resume',
  access: 'merchant.stop',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', ...merchantRefusals],
  summary: 'Let a stopped merchant work again, its machines as they were',
})

export const moveMerchant = endpoint({
  name: 'merchant.moveMerchant',
  method: 'POST',
  path: '/api/merchants/{id}/move',
  access: 'merchant.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), parentId: zId }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', ...merchantRefusals],
  summary: 'Hang a merchant, with all below it, under another parent in sight',
})

export const deleteMerchant = endpoint({
  name: 'merchant.deleteMerchant',
  method: 'POST',
  path: '/api/merchants/{id}/delete',
  access: 'merchant.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'request.inUse', ...merchantRefusals],
  summary: 'Delete a merchant that nothing uses any more',
})

const person = z.object({
  id: z.int(),
  account: z.string(),
  name: z.string(),
  kind: z.string(),
  isActive: z.boolean(),
})

export const getMerchant = endpoint({
  name: 'merchant.getMerchant',
  method: 'GET',
  path: '/api/merchants/{id}',
  access: 'merchant.read',
  input: z.strictObject({ id: zId }),
  output: row.extend({
    address: z.string(),
    category: z.string(),
    tags: z.string(),
    singleSession: z.boolean(),
    pickupCodeLimit: z.int().nullable(),
    currency: z.string().nullable(),
    exchangeRate: z.number(),
    hasHighGo: z.boolean(),
    hasPharmacy: z.boolean(),
    hasShopping: z.boolean(),
    /** The parent's where it has none of its own. */
    servicePhoneShown: z.string(),
    /** Of the first administrator. */
    loginName: z.string().nullable(),
    sellsWhenStopped: z.boolean(),
    stoppedAt: zInstant.nullable(),
    version: z.int(),
    /** The caller's own: not to be stopped, moved or widened by themselves. */
    isOwn: z.boolean(),
    children: z.array(z.object({ id: z.int(), code: z.string(), name: z.string(), machineCount: z.int() })),
    users: z.array(person),
    licenceCount: z.int(),
    history: z.array(historyEvent),
  }),
  refusals: ['request.notFound'],
  summary: 'One merchant with its people, children and the last changes',
})
export type MerchantDetail = z.output<typeof getMerchant.output>

export const listServicePhones = endpoint({
  name: 'merchant.listServicePhones',
  method: 'GET',
  path: '/api/service-phones',
  access: 'merchant.write',
  input: z.strictObject({}),
  output: z.object({
    items: z.array(
      z.object({
        id: z.int(),
        way: z.array(z.string()),
        code: z.string(),
        machineCount: z.int(),
        servicePhone: z.string(),
        /** What its machines show, and whose number it is. */
        shown: z.string(),
        shownFrom: z.string().nullable(),
        version: z.int(),
      }),
    ),
  }),
  summary: 'The customer-service phone of the own merchant and those below it, and what their machines show',
})

export const setServicePhone = endpoint({
  name: 'merchant.setServicePhone',
  method: 'POST',
  path: '/api/merchants/{id}/service-phone',
  access: 'merchant.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), servicePhone: zServicePhone }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale'],
  summary: 'Set the phone that a merchant’s machines show; none takes the parent’s',
})
