import { z } from 'zod'
import { endpoint, zId, zInstant } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'

/** Single sign-on by OpenID Connect (authorisation code with PKCE), and one-time tickets between own sub-systems. */
export const ssoRefusals = defineRefusals('identity', {
  'sso.issuerUnreachable': 422,
  'sso.secretMissing': 422,
  'sso.ruleIncomplete': 422,
  'ticket.notConfigured': 409,
})

/** Which claim of the provider names the account. */
export const accountClaims = ['preferred_username', 'email', 'phone_number', 'sub'] as const
/** What happens to somebody whom the provider knows and we don't. */
export const ssoRules = ['match', 'make'] as const

/** The tiles of the landing page that lead to other systems (specification 2.3). */
export const otherSystems = [
  'financeLease',
  'inspection',
  'factoryTest',
  'afterSales',
  'announcement',
  'configuration',
] as const
export type OtherSystem = (typeof otherSystems)[number]

export const getEntrance = endpoint({
  name: 'identity.getEntrance',
  method: 'GET',
  path: '/api/entrance',
  access: 'public',
  input: z.strictObject({}),
  /** Of the provider, for its button; null where none is configured. */
  output: z.object({ ssoName: z.string().nullable() }),
  summary: 'Which way the sign-in page offers beside the password',
})

export const startSSO = endpoint({
  name: 'identity.startSSO',
  method: 'POST',
  path: '/sram/comm/login/startSSO',
  access: 'public',
  input: z.strictObject({ browserKey: z.string().min(20).max(128) }),
  output: z.object({ address: z.string() }),
  refusals: ['signIn.ssoNotConfigured', 'signIn.ssoUnreachable', 'signIn.slowDown'],
  summary: 'Begin single sign-on: where to send the browser. State, nonce and PKCE stay at the server',
})

export const createTicket = endpoint({
  name: 'identity.createTicket',
  method: 'POST',
  path: '/api/session/ticket',
  access: 'session',
  input: z.strictObject({ system: z.enum(otherSystems) }),
  output: z.object({ address: z.string(), exp: z.int() }),
  refusals: ['ticket.notConfigured'],
  summary: 'The address of another system with a ticket that signs the caller in there: one use, 30 seconds',
})

export const listOtherSystems = endpoint({
  name: 'identity.listOtherSystems',
  method: 'GET',
  path: '/api/other-systems',
  access: 'session',
  input: z.strictObject({}),
  output: z.object({ items: z.array(z.object({ system: z.enum(otherSystems), isConfigured: z.boolean() })) }),
  summary: 'Which of the landing page’s other systems have an address',
})

const provider = z.object({
  name: z.string().trim().min(1).max(40),
  issuer: z.url({ protocol: /^https?$/ }).max(300),
  clientId: z.string().trim().min(1).max(200),
  scope: z.string().trim().min(1).max(200),
  accountClaim: z.enum(accountClaims),
  rule: z.enum(ssoRules),
  /** Of accounts that are made. */
  merchantId: z.int().nullable(),
  roleId: z.int().nullable(),
  isEnabled: z.boolean(),
})

export const getSsoProvider = endpoint({
  name: 'identity.getSsoProvider',
  method: 'GET',
  path: '/api/sso-provider',
  access: 'setting.write',
  input: z.strictObject({}),
  output: z.object({
    provider: provider.extend({ version: z.int(), hasSecret: z.boolean(), updatedAt: zInstant }).nullable(),
    /** To be registered at the provider. */
    redirectPath: z.string(),
    roles: z.array(z.object({ id: z.int(), name: z.string(), merchantId: z.int(), merchantName: z.string() })),
  }),
  refusals: ['request.notPermitted'],
  summary: 'The single sign-on provider, without its secret',
})

export const saveSsoProvider = endpoint({
  name: 'identity.saveSsoProvider',
  method: 'POST',
  path: '/api/sso-provider/save',
  access: 'setting.write',
  writes: true,
  input: z.strictObject({
    ...provider.shape,
    merchantId: zId.nullable(),
    roleId: zId.nullable(),
    /** Left out: the one that is kept. */
    clientSecret: z.string().min(1).max(500).optional(),
    version: z.int().nullable(),
  }),
  output: z.object({ version: z.int() }),
  refusals: [
    'request.notPermitted',
    'edit.stale',
    'sso.issuerUnreachable',
    'sso.secretMissing',
    'sso.ruleIncomplete',
    'account.holdsMore',
  ],
  summary: 'Set the single sign-on provider up; an enabled one must answer',
})
