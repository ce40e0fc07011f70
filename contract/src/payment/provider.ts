import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { type Provider, providers } from './states'

/** `private_key` signs what we send, `certificate` is its public side, `provider_key` checks what they sign. */
export const keyKinds = ['private_key', 'certificate', 'provider_key', 'api_key'] as const
export type KeyKind = (typeof keyKinds)[number]

/** What each provider's protocol can't do without. */
export const keysNeeded: Record<Provider, readonly KeyKind[]> = {
  wechat: ['private_key', 'certificate', 'provider_key', 'api_key'],
  alipay: ['private_key', 'provider_key'],
  unionpay: ['private_key', 'certificate', 'provider_key'],
}

/** Nothing of a sandbox is real money. */
export const environments = ['production', 'sandbox'] as const

/** Days before a certificate ends from which on it warns. */
export const KEY_WARNS_DAYS = 30
/** Of all keys of an account together, worst first. */
export const keyStates = ['expired', 'missing', 'expiring', 'complete'] as const
export type KeyState = (typeof keyStates)[number]

/** What a test of the keys came to: `good`, the provider believed our signature and we believe theirs. */
export const testOutcomes = ['good', 'refused', 'silent', 'unset'] as const
export type TestOutcome = (typeof testOutcomes)[number]

export const providerRefusals = defineRefusals('payment', {
  'providerAccount.exists': 409,
  'providerAccount.collects': 409,
  'providerAccount.gateway': 422,
  /** The chosen payment provider speaks another protocol. */
  'providerAccount.otherProtocol': 409,
  'providerKey.unreadable': 422,
  'providerKey.weak': 422,
  'providerKey.expired': 422,
  'providerKey.notPair': 422,
  'providerKey.apiLength': 422,
  'providerKey.notUsed': 422,
})

const zNumber = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{0,64}$/)

const editable = {
  name: z.string().trim().min(1).max(60),
  environment: z.enum(environments).default('production'),
  appId: zNumber.default(''),
  providerNo: zNumber.default(''),
  gateway: z
    .string()
    .trim()
    .max(200)
    .regex(/^(https?:\/\/[^ ?#]+)?$/)
    .default(''),
}

const account = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  name: z.string(),
  provider: z.enum(providers),
  /** Who speaks the provider's protocol, where that is not the provider itself (`acquirer`). */
  acquirer: z.string().nullable(),
  environment: z.enum(environments),
  appId: z.string(),
  providerNo: z.string(),
  gateway: z.string(),
  keyState: z.enum(keyStates),
  /** When the first of its keys ends. */
  validUntil: zInstant.nullable(),
  testOutcome: z.enum(testOutcomes).nullable(),
  testedAt: zInstant.nullable(),
  /** Activated payment accounts that stand on it. */
  accounts: z.int(),
})
export type ProviderAccount = z.output<typeof account>

export const listProviderAccounts = listEndpoint({
  name: 'payment.listProviderAccounts',
  path: '/api/provider-accounts',
  access: 'paymentService.write',
  summary: 'Who merchants in sight are at payment providers, what needs attention first',
  filters: {
    providerAccount: zSearch.optional(),
    provider: zAnyOf(providers).optional(),
    keyState: zAnyOf(keyStates).optional(),
    environment: z.enum(environments).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['worst', 'merchant'],
  item: account,
})

export const providerAccountFields = {
  name: { kind: 'text' },
  merchantName: { kind: 'text' },
  provider: { kind: 'state', words: 'provider', tones: {} },
  acquirer: { kind: 'text' },
  environment: stateField('environment', environments, { production: 'good', sandbox: 'idle' }),
  appId: { kind: 'code' },
  providerNo: { kind: 'code' },
  gateway: { kind: 'text' },
  keyState: stateField('keyState', keyStates, { expired: 'bad', missing: 'warn', expiring: 'warn', complete: 'good' }),
  validUntil: { kind: 'dateTime' },
  testOutcome: stateField('testOutcome', testOutcomes, {
    good: 'good',
    refused: 'bad',
    silent: 'warn',
    unset: 'warn',
  }),
  testedAt: { kind: 'dateTime' },
  accounts: { kind: 'count' },
} satisfies Fields

const key = z.object({
  kind: z.enum(keyKinds),
  /** A key that is set, in words that don't give it away. */
  fingerprint: z.string().nullable(),
  serial: z.string(),
  subject: z.string(),
  validUntil: zInstant.nullable(),
  setBy: z.string().nullable(),
  setAt: zInstant.nullable(),
  state: z.enum(keyStates),
})

export const getProviderAccount = endpoint({
  name: 'payment.getProviderAccount',
  method: 'GET',
  path: '/api/provider-accounts/{id}',
  access: 'paymentService.write',
  input: z.strictObject({ id: zId }),
  output: account.extend({
    version: z.int(),
    /** Where the provider tells us of payments; null until the platform's own address is set. */
    callbackAddress: z.string().nullable(),
    /** Those that the provider asks for. */
    keys: z.array(key),
    testAskedAt: zInstant.nullable(),
    testSaid: z.string(),
    createdAt: zInstant,
  }),
  refusals: ['request.notFound'],
  summary: 'One account at a provider; its secrets are never answered',
})

const changed = z.object({ id: z.int() })

export const addProviderAccount = endpoint({
  name: 'payment.addProviderAccount',
  method: 'POST',
  path: '/api/provider-accounts',
  access: 'paymentService.write',
  writes: true,
  input: z.strictObject({
    merchantId: zId,
    provider: z.enum(providers),
    /** One that speaks the provider's protocol, in its place. */
    acquirerId: zId.optional(),
    ...editable,
  }),
  output: changed,
  refusals: ['request.notFound', 'providerAccount.exists', 'providerAccount.gateway', 'providerAccount.otherProtocol'],
  summary: 'Write down who a merchant is at a payment provider',
})

export const editProviderAccount = endpoint({
  name: 'payment.editProviderAccount',
  method: 'POST',
  path: '/api/provider-accounts/{id}/edit',
  access: 'paymentService.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ...editable }),
  output: changed,
  refusals: [
    'request.notFound',
    'edit.stale',
    'providerAccount.exists',
    'providerAccount.collects',
    'providerAccount.gateway',
  ],
  summary: 'Change parameters; numbers stay as they are while payments are collected under them',
})

export const setProviderKey = endpoint({
  name: 'payment.setProviderKey',
  method: 'POST',
  path: '/api/provider-accounts/{id}/key',
  access: 'paymentService.secret',
  writes: true,
  input: z.strictObject({
    id: zId,
    kind: z.enum(keyKinds),
    keyText: z.string().trim().min(8).max(16_384),
    /** Of a public key that comes without a certificate, as its provider calls it. */
    serial: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9_]{0,80}$/)
      .default(''),
  }),
  output: changed,
  refusals: [
    'request.notFound',
    'providerKey.unreadable',
    'providerKey.weak',
    'providerKey.expired',
    'providerKey.notPair',
    'providerKey.apiLength',
    'providerKey.notUsed',
  ],
  summary: 'Set a key or certificate; it is checked, sealed, and never shown again',
})

export const testProviderKeys = endpoint({
  name: 'payment.testProviderKeys',
  method: 'POST',
  path: '/api/provider-accounts/{id}/test',
  access: 'paymentService.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound'],
  summary: 'Ask the provider something signed with the keys as they are, and keep what it says',
})
