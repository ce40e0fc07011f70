import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateNames } from '../kernel/states'

/**
 * All follow from facts: whether somebody revoked it, its last day, its merchant, and whether the person who answers
 * for it may still act for that merchant.
 */
export const apiKeyStates = ['valid', 'unanswered', 'merchantStopped', 'expired', 'revoked'] as const
export const apiKeyState = stateNames(apiKeyStates)

/** What calls with a key may be refused. Whoever holds a key may know what became of it. */
export const keyCallRefusals = defineRefusals('events', {
  'apiKey.unknown': 401,
  'apiKey.revoked': 401,
  'apiKey.expired': 401,
  'apiKey.merchantStopped': 403,
  'apiKey.unanswered': 403,
  'apiKey.personOnly': 403,
})

export const apiKeyRefusals = defineRefusals('events', {
  'apiKey.partSight': 403,
  'apiKey.notYours': 403,
  'apiKey.lastDay': 422,
  'apiKey.isRevoked': 409,
  'apiKey.tooMany': 409,
})

/** Then its makers say anew that it is still wanted. */
export const MOST_KEY_DAYS = 400
/** Valid ones of a merchant. */
export const MOST_API_KEYS = 50
/** What a key begins with, so that one that was published by mistake is found by who looks for such. */
export const KEY_PREFIX = 'aisle_live_'

const apiKey = z.object({
  id: z.int(),
  name: z.string(),
  /** The beginning of the key, by which it is known. */
  begins: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  state: z.enum(apiKeyStates),
  scopeCount: z.int(),
  callsAMinute: z.int(),
  expiresOn: zDay,
  lastUsedAt: zInstant.nullable(),
  answersBy: z.string(),
  createdAt: zInstant,
  createdBy: z.string(),
})
export type ApiKey = z.output<typeof apiKey>

export const listApiKeys = listEndpoint({
  name: 'events.listApiKeys',
  path: '/api/api-keys',
  access: 'apiKey.read',
  summary: 'Keys with which programs call as merchants in sight, newest first; the keys themselves are never answered',
  filters: { key: zSearch.optional(), merchantId: zId.optional(), state: zAnyOf(apiKeyStates).optional() },
  sorts: ['newest'],
  item: apiKey,
})

export const apiKeyFields = {
  name: { kind: 'text' },
  begins: { kind: 'code' },
  merchantName: { kind: 'text' },
  state: stateField('apiKeyState', apiKeyStates, {
    valid: 'good',
    unanswered: 'bad',
    merchantStopped: 'bad',
    expired: 'warn',
    revoked: 'idle',
  }),
  scopeCount: { kind: 'count' },
  callsAMinute: { kind: 'count' },
  expiresOn: { kind: 'day' },
  lastUsedAt: { kind: 'dateTime', saysNever: true },
  answersBy: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
  createdBy: { kind: 'text' },
} satisfies Fields

const scope = z.object({
  code: z.string(),
  /** The page that it is known by. */
  title: z.string(),
  action: z.string(),
})
export type Scope = z.output<typeof scope>

export const getApiKey = endpoint({
  name: 'events.getApiKey',
  method: 'GET',
  path: '/api/api-keys/{id}',
  access: 'apiKey.read',
  input: z.strictObject({ id: zId }),
  output: apiKey.extend({
    /** `isHeld`: whether who answers for it holds it too; without that it does not count. */
    scopes: z.array(scope.extend({ isHeld: z.boolean() })),
    revokedAt: zInstant.nullable(),
    revokedBy: z.string().nullable(),
    version: z.int(),
  }),
  refusals: ['request.notFound'],
  summary: 'One key: what it may do, who answers for it, and how it ended',
})

export const listScopes = endpoint({
  name: 'events.listScopes',
  method: 'GET',
  path: '/api/api-key-scopes',
  access: 'apiKey.write',
  input: z.strictObject({}),
  output: z.object({ items: z.array(scope) }),
  summary: 'What the caller may give a key: what they hold themselves, and what is not for people alone',
})

const limits = {
  scopes: z.array(z.string().max(80)).min(1).max(400),
  expiresOn: zDay,
  callsAMinute: z.int().min(1).max(6000).default(600),
}

export const addApiKey = endpoint({
  name: 'events.addApiKey',
  method: 'POST',
  path: '/api/api-keys',
  access: 'apiKey.write',
  writes: true,
  input: z.strictObject({ merchantId: zId, name: zNeeded(60), ...limits }),
  output: z.object({ id: z.int(), key: z.string() }),
  refusals: ['request.notFound', 'apiKey.partSight', 'apiKey.notYours', 'apiKey.lastDay', 'apiKey.tooMany'],
  summary: 'A key for a program that calls as a merchant with those below it; it is told once',
})

const changed = z.object({ id: z.int() })
const about = ['request.notFound', 'apiKey.partSight', 'apiKey.isRevoked'] as const

export const editApiKey = endpoint({
  name: 'events.editApiKey',
  method: 'POST',
  path: '/api/api-keys/{id}/edit',
  access: 'apiKey.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ...limits }),
  output: changed,
  refusals: [...about, 'edit.stale', 'apiKey.notYours', 'apiKey.lastDay'],
  summary: 'What a key may do, how often, and until when; whoever changes it answers for it from then on',
})

export const takeOverApiKey = endpoint({
  name: 'events.takeOverApiKey',
  method: 'POST',
  path: '/api/api-keys/{id}/take-over',
  access: 'apiKey.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: [...about, 'apiKey.notYours'],
  summary: 'Answer for a key from now on: it may do what its scopes say as far as the caller may',
})

export const revokeApiKey = endpoint({
  name: 'events.revokeApiKey',
  method: 'POST',
  path: '/api/api-keys/{id}/revoke',
  access: 'apiKey.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: [...about],
  summary: 'End a key at once and for good',
})
