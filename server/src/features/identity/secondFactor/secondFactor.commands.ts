import { randomBytes, randomInt } from 'node:crypto'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { isRisky, type onSecondFactor } from '@aisle/contract/identity/secondFactor'
import type { onLogin } from '@aisle/contract/identity/session'
import { b64u } from '@aisle/contract/identity/signin'
import { secondFactorForRisk } from '@aisle/contract/system/settings'
import type { AuthKeys, CallContext, Reader, Tx } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { seal, unseal } from '../../../kernel/seal'
import { settingOf } from '../../../kernel/settings'
import { hashToken } from '../../../kernel/token'
import { word } from '../../../kernel/words'
import { endAllBegun } from '../account/account.commands'
import type { Account } from '../account/account.store'
import * as accountStore from '../account/account.store'
import { type Admitted, admit, welcome } from '../signIn/admission.commands'
import * as logStore from '../signIn/log.store'
import { newRecoveryCodes, recoveryMac } from './recovery.rules'
import * as factorStore from './secondFactor.store'
import * as sessionStore from '../session/session.store'
import { newSecret, stepOf, uriOf } from './totp.rules'
import { countTry } from '../signIn/try.commands'
import * as userStore from '../account/user.store'

type Answer = OutputOf<typeof onLogin>

const CHALLENGE_LIVES_S = 120
/** Long enough to find and install an app. */
export const SETUP_LIVES_S = 600
/** Then the password has to be proven again; the account's own counter goes on slowing. */
const MOST_TRIES = 5

export const counterOf = (userId: number): string => `factor|${userId}`
const aboutSecret = (userId: number): string => `secondFactor:${userId}`

export const sealSecret = (keys: AuthKeys, userId: number, secret: string): Buffer =>
  seal(keys, aboutSecret(userId), secret)
export const openSecret = (keys: AuthKeys, userId: number, sealed: Buffer): string =>
  unseal(keys, aboutSecret(userId), sealed)

/** Whether the setting demands a second factor of this account. */
export async function isRequiredOf(db: Reader, account: Pick<Account, 'userId' | 'merchantId'>): Promise<boolean> {
  if (!(await settingOf(db, secondFactorForRisk, account.merchantId))) return false
  return isRisky(await userStore.grantsAnywhere(db, account.userId))
}

/**
 * Between the password (or the provider's word) and the session.
 * @returns what the client is asked; null when nothing more is needed
 */
export async function askSecondFactor(tx: Tx, ctx: CallContext, account: Account): Promise<Answer | null> {
  const factor = await factorStore.find(tx, account.userId)
  if (!factor && !(await isRequiredOf(tx, account))) return null
  const { userId } = account
  const secret = factor ? null : newSecret()
  const exp = factor ? CHALLENGE_LIVES_S : SETUP_LIVES_S
  const challenge = b64u(randomBytes(32))
  await factorStore.insertChallenge(tx, {
    tokenHash: hashToken(challenge),
    userId,
    secret: secret === null ? null : sealSecret(ctx.services.keys, userId, secret),
    expiresAt: new Date(ctx.now().getTime() + exp * 1000),
  })
  const setup = secret === null ? null : { secret, uri: uriOf(secret, account.account) }
  const msg = word(ctx.language, 'identity', setup ? 'signIn.secondFactorSetup' : 'signIn.secondFactor')
  return { code: 'signIn.secondFactor', msg, secondFactor: { challenge, exp, setup } }
}

type Finished =
  | { outcome: 'in'; account: Account; admitted: Admitted; recoveryCodes: string[] | null }
  | { outcome: 'wrong' }
  | { outcome: 'slowDown' }
  | { outcome: 'over' }

/** The second step: a code of the app, a recovery code, or the first code of a factor that is set up on the way. */
export async function finishSignIn(
  ctx: CallContext,
  { challenge, code }: InputOf<typeof onSecondFactor>,
): Promise<Answer> {
  const finished = await ctx.services.db.transaction().execute((tx) => tryCode(tx, ctx, hashToken(challenge), code))
  if (finished.outcome === 'over') return refuse('secondFactor.challengeOver')
  if (finished.outcome !== 'in') return refuse(`secondFactor.${finished.outcome}`)
  const { account, admitted, recoveryCodes } = finished
  return { ...(await welcome(ctx, account, admitted)), ...(recoveryCodes ? { recoveryCodes } : {}) }
}

async function tryCode(tx: Tx, ctx: CallContext, tokenHash: Buffer, code: string): Promise<Finished> {
  const now = ctx.now()
  const userId = await factorStore.userOfChallenge(tx, tokenHash)
  if (userId !== undefined) await sessionStore.holdUser(tx, userId)
  const challenge = await factorStore.lockChallenge(tx, tokenHash, now)
  if (!challenge || challenge.failures >= MOST_TRIES) return { outcome: 'over' }
  const account = await accountStore.findById(tx, challenge.userId)
  if (!account?.isEnabled) return { outcome: 'over' }
  let recoveryCodes: string[] | null = null
  const tried = await countTry(tx, counterOf(account.userId), now, async () => {
    if (!challenge.secret) return takeCode(tx, ctx, account.userId, code)
    recoveryCodes = await turnOn(tx, ctx, account.userId, challenge.secret, code)
    return recoveryCodes !== null
  })
  if (tried !== 'right') {
    await factorStore.failChallenge(tx, tokenHash)
    const { ip, agent } = ctx
    const outcome = tried === 'wrong' ? 'factor' : 'throttled'
    await logStore.insert(tx, { at: now, account: account.account, userId: account.userId, ip, agent, outcome })
    return { outcome: tried }
  }
  await factorStore.useChallenge(tx, tokenHash, now)
  if (recoveryCodes) await endAllBegun(tx, account.userId, 'sign_out', now)
  return { outcome: 'in', account, admitted: await admit(tx, ctx, account), recoveryCodes }
}

/** Takes a code of the account's factor, once. @returns whether it was right */
export async function takeCode(tx: Tx, ctx: CallContext, userId: number, code: string): Promise<boolean> {
  const { keys } = ctx.services
  if (!/^\d{6}$/.test(code)) {
    return factorStore.takeRecoveryCode(tx, userId, recoveryMac(keys, userId, code), ctx.now())
  }
  const factor = await factorStore.find(tx, userId)
  const step = factor && stepOf(openSecret(keys, userId, factor.secret), code, ctx.now())
  return typeof step === 'number' && factorStore.takeStep(tx, userId, step)
}

/** @returns the recovery codes; null when the code is not of this secret, or there is a factor already */
export async function turnOn(
  tx: Tx,
  ctx: CallContext,
  userId: number,
  sealed: Buffer,
  code: string,
): Promise<string[] | null> {
  const { keys } = ctx.services
  const step = stepOf(openSecret(keys, userId, sealed), code, ctx.now())
  if (step === null) return null
  if (!(await factorStore.insert(tx, { userId, secret: sealed, step, at: ctx.now() }))) return null
  return renewCodes(tx, keys, userId)
}

export async function renewCodes(tx: Tx, keys: AuthKeys, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes(randomInt)
  const hashes = codes.map((code) => recoveryMac(keys, userId, code))
  await factorStore.putRecoveryCodes(tx, userId, hashes)
  return codes
}
