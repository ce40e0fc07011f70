import { z } from 'zod'
import { endpoint, zId, zInstant } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'
import { signedIn } from './session'

/**
 * A second factor: six digits of a time-based one-time password (RFC 6238, SHA-1, 30 s, what every authenticator app
 * takes), or one of ten recovery codes. A code is taken once, and never one of an earlier time step.
 */
export const secondFactorRefusals = defineRefusals('identity', {
  'secondFactor.wrong': 422,
  'secondFactor.slowDown': 429,
  /** At signing in: the password has to be proven again. */
  'secondFactor.challengeOver': 401,
  'secondFactor.setupOver': 409,
  'secondFactor.alreadyOn': 409,
  'secondFactor.off': 409,
})

export const RECOVERY_CODES = 10

/** Six digits, or a recovery code with or without its dash. */
const code = z.string().trim().min(6).max(16)

/** What moves money or edits rights: nouns whose every verb but reading does. */
const riskyNouns: ReadonlySet<string> = new Set([
  // money
  'refund',
  'withdrawal',
  'settlement',
  'paymentAccount',
  'paymentService',
  'bankAccount',
  'feeRule',
  'splitRule',
  'splitRecord',
  'supplierPayment',
  // rights
  'role',
  'resource',
  'menu',
  'user',
  'merchant',
  'setting',
  'authorisation',
  'organisation',
  'integrationConfig',
])

/** Whether who holds these grants can move money or edit rights (setting `secondFactor.requiredForRisk`). */
export const isRisky = (grants: readonly string[]): boolean =>
  grants.some((grant) => {
    const [noun = '', verb] = grant.split('.')
    return grant === '*' || (riskyNouns.has(noun) && verb !== 'read')
  })

/** The second step of a sign-in that answered `signIn.secondFactor`. */
export const onSecondFactor = endpoint({
  name: 'identity.onSecondFactor',
  method: 'POST',
  path: '/sram/comm/login/onSecondFactor',
  access: 'public',
  style: 'bare',
  input: z.strictObject({ challenge: z.string().min(1).max(64), code }),
  output: signedIn,
  refusals: ['secondFactor.wrong', 'secondFactor.slowDown', 'secondFactor.challengeOver'],
  summary: 'Finish signing in with a code of the authenticator app or a recovery code',
})

export const getOwnSecondFactor = endpoint({
  name: 'identity.getOwnSecondFactor',
  method: 'GET',
  path: '/api/own-second-factor',
  access: 'session',
  input: z.strictObject({}),
  output: z.object({
    isOn: z.boolean(),
    since: zInstant.nullable(),
    recoveryLeft: z.int(),
    /** The setting demands it of the caller: once turned off, it is set up again at the next sign-in. */
    isRequired: z.boolean(),
  }),
  summary: 'Whether the caller signs in with a second factor',
})

export const startSecondFactor = endpoint({
  name: 'identity.startSecondFactor',
  method: 'POST',
  path: '/api/own-second-factor/start',
  access: 'session',
  writes: true,
  input: z.strictObject({ proof: z.string().max(256) }),
  output: z.object({ secret: z.string(), uri: z.string(), exp: z.int() }),
  refusals: ['password.wrong', 'password.slowDown', 'secondFactor.alreadyOn'],
  summary: 'Begin to set up a second factor; takes a proof of the password and gives the secret once',
})

export const confirmSecondFactor = endpoint({
  name: 'identity.confirmSecondFactor',
  method: 'POST',
  path: '/api/own-second-factor/confirm',
  access: 'session',
  writes: true,
  input: z.strictObject({ code }),
  output: z.object({ recoveryCodes: z.array(z.string()) }),
  refusals: ['secondFactor.wrong', 'secondFactor.slowDown', 'secondFactor.setupOver'],
  summary: 'Turn the second factor on with a first code; answers the recovery codes, once',
})

export const renewRecoveryCodes = endpoint({
  name: 'identity.renewRecoveryCodes',
  method: 'POST',
  path: '/api/own-second-factor/renew-recovery-codes',
  access: 'session',
  writes: true,
  input: z.strictObject({ code }),
  output: z.object({ recoveryCodes: z.array(z.string()) }),
  refusals: ['secondFactor.wrong', 'secondFactor.slowDown', 'secondFactor.off'],
  summary: 'Ten new recovery codes; the old ones no longer count',
})

export const turnOffSecondFactor = endpoint({
  name: 'identity.turnOffSecondFactor',
  method: 'POST',
  path: '/api/own-second-factor/turn-off',
  access: 'session',
  writes: true,
  input: z.strictObject({ code }),
  output: z.object({}),
  refusals: ['secondFactor.wrong', 'secondFactor.slowDown', 'secondFactor.off'],
  summary: 'Sign in with the password alone again',
})

/** For whoever lost both telephone and recovery codes: an administrator above vouches for them. */
export const resetSecondFactor = endpoint({
  name: 'identity.resetSecondFactor',
  method: 'POST',
  path: '/api/users/{id}/reset-second-factor',
  access: 'user.write',
  writes: true,
  input: z.strictObject({ id: zId, reason: z.string().trim().min(1).max(200) }),
  output: z.object({ wasOn: z.boolean() }),
  refusals: ['request.notFound', 'account.holdsMore', 'account.own'],
  summary: 'Remove the second factor of an account below; its sessions end, and its owner is told',
})
