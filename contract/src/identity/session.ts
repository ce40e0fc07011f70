import { z } from 'zod'
import { endpoint, zInstant } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'
import { languages } from '../kernel/text'
import { userKinds } from './permissions'

/**
 * Why a sign-in is refused. The words never say whether the account exists (docs/decisions/0004).
 * A code other than '' in onLogin's answer is a failure (spec §8, login).
 */
export const signInRefusals = defineRefusals('identity', {
  'signIn.wrong': 401,
  'signIn.codeInvalid': 401,
  'signIn.slowDown': 429,
  'signIn.ssoNotConfigured': 503,
  /** The provider knows the person; here is no account for them, or none that is enabled. */
  'signIn.ssoNoAccount': 401,
  /** The way to the provider and back took too long, was begun in another browser, or the provider said no. */
  'signIn.ssoFailed': 401,
  'signIn.ssoUnreachable': 503,
  'signIn.ticketInvalid': 401,
})

const account = z.string().trim().min(1).max(64)
const nonce = z.string().min(16).max(64)

const titles = z.partialRecord(z.enum(languages), z.string())
const leaf = z.object({
  code: z.string(),
  path: z.string(),
  title: z.string(),
  /** Only where an administrator named it: in these languages it is called so, whatever it was shipped with. */
  titles: titles.optional(),
  icon: z.string().optional(),
})
const branch = leaf.extend({ children: z.array(leaf).optional() })
const group = leaf.extend({ children: z.array(branch).optional() })
/** The menu tree, cut by permission; the first element's children are the menus (spec §3). */
export const menuTree = z.array(leaf.extend({ children: z.array(group) }))
export type MenuTree = z.output<typeof menuTree>
export type MenuGroup = z.output<typeof group>

const userInfo = z.object({ userid: z.string(), accountname: z.string(), menuJsonTree: menuTree })

/** What a successful sign-in answers, however it was done; a non-empty `code` means that it is not done yet. */
export const signedIn = z.object({
  code: z.string(),
  msg: z.string(),
  session_key: z.string().optional(),
  serverSig: z.string().optional(),
  userInfo: userInfo.optional(),
  /** With the code `signIn.secondFactor`: what `onSecondFactor` takes. `setup` where a factor is still to be set up. */
  secondFactor: z
    .object({
      challenge: z.string(),
      exp: z.int(),
      setup: z.object({ secret: z.string(), uri: z.string() }).nullable(),
    })
    .optional(),
  /** Until it is changed, this session may do nothing else. */
  mustChangePassword: z.boolean().optional(),
  /** Tries that failed since the account's last sign-in. */
  failedBefore: z.object({ count: z.int(), lastAt: zInstant, lastIp: z.string() }).optional(),
  /** Shown once, after a factor was set up while signing in. */
  recoveryCodes: z.array(z.string()).optional(),
})

const roleName = z.object({ id: z.int(), name: z.string() })

export const getCheckCode = endpoint({
  name: 'identity.getCheckCode',
  method: 'GET',
  path: '/sram/comm/login/getCheckCode',
  access: 'public',
  input: z.strictObject({ account: account.optional() }),
  output: z.object({
    cid: z.string(),
    mode: z.enum(['auto', 'typed']),
    checkCode: z.string().optional(),
    image: z.string().optional(),
    exp: z.int(),
  }),
  refusals: ['signIn.slowDown'],
  summary: 'A 4-character code that lives 120 s and serves once; a picture when the counters say so',
})

export const getLoginParam = endpoint({
  name: 'identity.getLoginParam',
  method: 'POST',
  path: '/sram/comm/login/getLoginParam',
  access: 'public',
  input: z.strictObject({ account, cid: z.string().max(64), cnonce: nonce }),
  output: z.object({
    salt: z.string(),
    kdf: z.object({ a: z.literal('argon2id'), m: z.int(), t: z.int(), p: z.int() }),
    snonce: z.string(),
    v: z.literal(1),
  }),
  refusals: ['signIn.codeInvalid', 'signIn.slowDown'],
  summary: 'What the client needs to prove the password; of one shape for known and unknown accounts',
})

export const onLogin = endpoint({
  name: 'identity.onLogin',
  method: 'POST',
  path: '/sram/comm/login/onLogin',
  access: 'public',
  style: 'bare',
  input: z.strictObject({
    account,
    password: z.string().max(256),
    checkCode: z.string().max(8),
  }),
  output: signedIn,
  refusals: ['signIn.wrong', 'signIn.codeInvalid', 'signIn.slowDown'],
  summary: 'Sign in with a proof of the password (SCRAM over argon2id); a non-empty code is a failure',
})

/**
 * A hand-over ticket of `createTicket`, or what a provider of OpenID Connect sent back with its `code`.
 * `browserKey` is what this browser named when it began (`startSSO`), so that nobody else's way ends here.
 */
export const onLoginSSO = endpoint({
  name: 'identity.onLoginSSO',
  method: 'POST',
  path: '/sram/comm/login/onLoginSSO',
  access: 'public',
  style: 'bare',
  input: z.strictObject({
    ticket: z.string().max(512).optional(),
    audience: z.string().max(64).optional(),
    code: z.string().max(2048).optional(),
    state: z.string().max(256).optional(),
    iss: z.string().max(500).optional(),
    browserKey: z.string().max(128).optional(),
  }),
  output: signedIn.extend({ customData: z.record(z.string(), z.string()).optional() }),
  refusals: [
    'signIn.ssoNotConfigured',
    'signIn.ssoNoAccount',
    'signIn.ssoFailed',
    'signIn.ssoUnreachable',
    'signIn.ticketInvalid',
  ],
  summary: 'Sign in by single sign-on: with a one-time ticket or with the code of an OpenID Connect provider',
})

export const getUserResource = endpoint({
  name: 'identity.getUserResource',
  method: 'POST',
  path: '/sram/comm/login/getUserResource',
  access: 'session',
  style: 'bare',
  input: z.strictObject({
    /** One part of the menu, by its code: a group such as `yxch`, or another system that was added to it. */
    systemid: z.string().max(64).optional(),
    /** The caller's own id: nobody reads another's menu. */
    systemuserid: z.string().max(64).optional(),
  }),
  output: z.object({ code: z.literal('H0000'), userInfo: z.object({ menuJsonTree: menuTree }), msg: z.string() }),
  refusals: ['request.notFound', 'request.notPermitted'],
  summary: 'The menu tree as the user may see it now, or the part of it that is one system’s',
})

export const getUserInfo = endpoint({
  name: 'identity.getUserInfo',
  method: 'GET',
  path: '/user/info',
  access: 'session',
  input: z.strictObject({ token: z.string().max(128).optional() }),
  output: z.object({
    userid: z.string(),
    accountname: z.string(),
    displayName: z.string(),
    kind: z.enum(userKinds),
    /** Some things are agreed by the platform's own people alone, whatever their kind and whatever a role holds. */
    merchant: z.object({ id: z.int(), code: z.string(), name: z.string(), isPlatform: z.boolean() }),
    roles: z.array(z.string()),
    permissions: z.array(z.string()),
    /** Between which the user may switch, and the one switched on; null is all of them. */
    roleChoices: z.array(roleName),
    activeRole: roleName.nullable(),
    /** As which role an administrator looks at the application; nothing can be written meanwhile. */
    viewedRole: roleName.nullable(),
    language: z.enum(languages),
    mustChangePassword: z.boolean(),
    /** Until the newest platform agreement is accepted, nothing else answers (`agreement.owed`). */
    mustAcceptAgreement: z.boolean(),
  }),
  refusals: ['request.notPermitted'],
  summary: 'Who is signed in, with roles, permissions and merchant',
})

export const signOut = endpoint({
  name: 'identity.signOut',
  method: 'POST',
  path: '/api/session/sign-out',
  access: 'session',
  input: z.strictObject({}),
  output: z.object({}),
  summary: 'End this session',
})
