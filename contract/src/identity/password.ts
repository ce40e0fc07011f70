import { z } from 'zod'
import { endpoint } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'

/**
 * Passwords never travel: what is known is proven as in signing in, what is new comes as a verifier (`signin.ts`). A
 * verifier's salt is its account's own, so it also says whose it is.
 */
export const passwordRefusals = defineRefusals('identity', {
  /** The session began with an initial or reset password. */
  'password.mustChange': 403,
  'password.wrong': 422,
  'password.same': 422,
  /** One that the product ships. */
  'password.shipped': 422,
  /** The code, the phone or the account of the verifier; the words do not say which. */
  'password.codeInvalid': 422,
  'password.slowDown': 429,
  /** Whoever gives rights gives only their own: an account with more can't be taken over by a reset. */
  'account.holdsMore': 403,
  /** And nobody makes an account that sees or may do more. */
  'account.wouldHoldMore': 403,
  /** What an administrator does for others, for oneself. */
  'account.own': 403,
})

/**
 * A password of the server's own making, to be changed at once: on its way to `phone`, or told to whoever made it, this
 * once, where no SMS leaves the house.
 */
export const zFirstPassword = z.object({
  account: z.string(),
  name: z.string(),
  /** With its middle hidden. */
  phone: z.string(),
  /** Null where it goes by SMS. */
  password: z.string().nullable(),
})
export type FirstPassword = z.output<typeof zFirstPassword>

const nonce = z.string().min(16).max(64)
const kdf = z.object({ a: z.literal('argon2id'), m: z.int(), t: z.int(), p: z.int() })
const verifier = z.string().min(1).max(256)
const phone = z.string().trim().min(1).max(32)
const checkCode = z.string().trim().max(16)

/** What the specification calls the password's limits, each raised by a setting of the platform. */
export const passwordPolicy = z.object({ min: z.int(), max: z.int() })
export type PasswordPolicy = z.output<typeof passwordPolicy>

export const getOwnPasswordParam = endpoint({
  name: 'identity.getOwnPasswordParam',
  method: 'POST',
  path: '/api/own-password/param',
  access: 'session',
  input: z.strictObject({ cnonce: nonce }),
  output: z.object({
    account: z.string(),
    cid: z.string(),
    checkCode: z.string(),
    snonce: z.string(),
    salt: z.string(),
    kdf,
    v: z.literal(1),
    policy: passwordPolicy,
    /** The own one, so that the new password can be kept free of it; '' without one. */
    phone: z.string(),
  }),
  summary: 'What the caller needs to prove the own password once more, and to make a verifier of a new one',
})

export const changeOwnPassword = endpoint({
  name: 'identity.changeOwnPassword',
  method: 'POST',
  path: '/api/own-password/change',
  access: 'session',
  writes: true,
  input: z.strictObject({ proof: z.string().max(256), verifier }),
  output: z.object({}),
  refusals: ['password.wrong', 'password.same', 'password.shipped', 'password.slowDown', 'request.invalid'],
  summary: 'Change the own password; every session of the account ends, this one too',
})

export const sendPhoneCode = endpoint({
  name: 'identity.sendPhoneCode',
  method: 'GET',
  path: '/sram/archives/getCheckCode',
  access: 'public',
  input: z.strictObject({ phone }),
  output: z.object({ exp: z.int(), againAfter: z.int() }),
  summary: 'Sends a code of 6 digits to a phone that an account has; answers alike for all others',
})

/** The right code is not used up here: it is by the reset that follows, within its five minutes. */
export const openForgotten = endpoint({
  name: 'identity.openForgotten',
  method: 'POST',
  path: '/api/forgotten-password/open',
  access: 'public',
  input: z.strictObject({ phone, checkCode }),
  output: z.object({
    accounts: z.array(
      z.object({ account: z.string(), displayName: z.string(), merchant: z.string(), salt: z.string() }),
    ),
    kdf,
    v: z.literal(1),
    policy: passwordPolicy,
  }),
  refusals: ['password.codeInvalid'],
  summary: 'The accounts of a phone, for whoever has the code that was sent to it',
})

const reset = {
  access: 'public',
  input: z.strictObject({ phone, checkCode, pass: verifier }),
  output: z.object({ account: z.string() }),
  refusals: ['password.codeInvalid', 'password.shipped', 'request.invalid'],
} as const

/** Specification §7. `pass` is a verifier, never a password; it is in no log. Our own pages use the POST. */
export const resetPassByGet = endpoint({
  ...reset,
  name: 'identity.resetPassByGet',
  method: 'GET',
  path: '/sram/archives/resetPass',
  summary: 'Set a new password with the code sent to the phone; all sessions of the account end',
})
export const resetPass = endpoint({
  ...reset,
  name: 'identity.resetPass',
  method: 'POST',
  path: '/sram/archives/resetPass',
  summary: 'Set a new password with the code sent to the phone; all sessions of the account end',
})

const adminReset = {
  access: 'user.write',
  writes: true,
  isKeyMade: true,
  input: z.strictObject({ phone, pass: verifier }),
  output: z.object({ account: z.string() }),
  refusals: ['request.notFound', 'account.holdsMore', 'account.own', 'password.shipped', 'request.invalid'],
} as const

/** As `resetPass`; the new password must be changed at the next sign-in. */
export const adminResetPassByGet = endpoint({
  ...adminReset,
  name: 'identity.adminResetPassByGet',
  method: 'GET',
  path: '/sram/archives/adminResetPass',
  summary: 'An administrator sets the first password anew of an account below; all its sessions end',
})
export const adminResetPass = endpoint({
  ...adminReset,
  name: 'identity.adminResetPass',
  method: 'POST',
  path: '/sram/archives/adminResetPass',
  summary: 'An administrator sets the first password anew of an account below; all its sessions end',
})

/** All that answers while a session waits for its password to be changed. */
export const answersBeforeChange: ReadonlySet<string> = new Set([
  'identity.getUserInfo',
  'identity.getUserResource',
  'identity.signOut',
  getOwnPasswordParam.name,
  changeOwnPassword.name,
])
