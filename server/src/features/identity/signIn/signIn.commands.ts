import type { CallOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { onLogin } from '@aisle/contract/identity/session'
import {
  authMessage,
  b64u,
  defaultKdf,
  equalBytes,
  kdfText,
  normaliseAccount,
  parsePasswordField,
  serverSignature,
  verifyProof,
} from '@aisle/contract/identity/signin'
import type { CallContext, Tx } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import type { Account } from '../account/account.store'
import * as accountStore from '../account/account.store'
import { type Admitted, admit, welcome } from './admission.commands'
import { type Attempt, attemptOf } from './attempt.rules'
import type { Challenge } from '../secondFactor/challenge.store'
import * as challengeStore from '../secondFactor/challenge.store'
import { kdfFrom, openCredential, saltFor } from '../password/credential'
import * as credentialStore from '../password/credential.store'
import { decoyOf, fakeStoredKey } from '../password/decoy'
import * as logStore from './log.store'
import { askSecondFactor } from '../secondFactor/secondFactor.commands'
import * as sessionStore from '../session/session.store'
import { recordFailure } from './throttle.commands'
import { afterSuccess, isBlocked } from './throttle.rules'
import * as throttleStore from './throttle.store'
import type { SignInUser } from '../account/user.store'
import * as userStore from '../account/user.store'

/**
 * Steps 1 to 5 of signing in (docs/decisions/0004). Unknown account, wrong password, disabled user and an account
 * that must wait go the same way, to the same answer.
 */
export async function signIn(ctx: CallContext, input: CallOf<typeof onLogin>): Promise<OutputOf<typeof onLogin>> {
  const { keys } = ctx.services
  const now = ctx.now()
  const sent = parsePasswordField(input.password)
  const challenge = sent && (await challengeStore.burn(ctx.db, sent.cid, now))
  if (!challenge) return refuse('signIn.codeInvalid')

  const account = normaliseAccount(input.account)
  const from = { ip: ctx.ip, deviceCookie: ctx.deviceCookie, deviceKey: keys.device, now }
  const attempt = attemptOf(from, account)
  if (!isMeant(challenge, { account, origin: ctx.origin, code: input.checkCode })) return refuseCode(ctx, attempt)

  const user = await userStore.findToSignIn(ctx.db, account, decoyOf(keys), kdfText(defaultKdf))
  const salt = b64u(saltFor(keys, account))
  const am = authMessage({ ...challenge, checkCode: challenge.code, cid: sent.cid, salt, kdf: kdfFrom(user.kdf) })
  const opened = openCredential(keys, user.userId, user.sealed)
  const fake = fakeStoredKey(keys, account)
  const isUser = user.userId !== userStore.NOBODY
  const isProven = verifyProof(isUser ? opened.storedKey : fake, am, sent.proof)

  const verdict = await judge(ctx, attempt, user, isUser && isProven)
  if (verdict.outcome === 'slowDown') return refuse('signIn.slowDown')
  if (verdict.outcome === 'wrong') return refuse('signIn.wrong')

  const serverSig = b64u(serverSignature(opened.serverKey, am))
  if (verdict.outcome === 'halfway') return { ...verdict.asked, serverSig }
  return { ...(await welcome(ctx, verdict.account, verdict.admitted)), serverSig }
}

/** All three are compared whatever the first says, so the time does not tell which one was wrong. */
function isMeant(challenge: Challenge, said: Pick<Challenge, 'account' | 'origin' | 'code'>): boolean {
  const equal = [
    isEqual(challenge.account, said.account),
    isEqual(challenge.origin, said.origin),
    isEqual(challenge.code, said.code.toUpperCase()),
  ]
  return !equal.includes(false)
}

const isEqual = (a: string, b: string) => equalBytes(Buffer.from(a), Buffer.from(b))

/** The code is burnt already. Who mistypes codes at an account does not slow its owner down, only their own address. */
async function refuseCode(ctx: CallContext, attempt: Attempt): Promise<never> {
  await ctx.services.db.transaction().execute(async (tx) => {
    await recordFailure(tx, attempt, null, ctx.now())
    await log(tx, ctx, attempt, 'code', null)
  })
  return refuse('signIn.codeInvalid')
}

type Verdict =
  | { outcome: 'ok'; account: Account; admitted: Admitted }
  | { outcome: 'halfway'; asked: OutputOf<typeof onLogin> }
  | { outcome: 'wrong' }
  | { outcome: 'slowDown' }

/** The proof was checked before; whether it counts is decided here, one try of an account after the other. */
async function judge(ctx: CallContext, attempt: Attempt, user: SignInUser, isProven: boolean): Promise<Verdict> {
  const now = ctx.now()
  const { own, subnetKey, deviceId } = attempt
  const userId = user.userId === userStore.NOBODY ? null : user.userId
  const seen = await throttleStore.read(ctx.db, [own.key, subnetKey])
  const isSubnetBlocked = deviceId === null && isBlocked(seen.get(subnetKey), now)
  if (isSubnetBlocked || isBlocked(seen.get(own.key), now)) {
    await log(ctx.db, ctx, attempt, 'throttled', userId)
    ctx.services.log.warn({ traceId: ctx.traceId, ip: ctx.ip, isSubnetBlocked }, 'sign-in turned away unread')
    return { outcome: isSubnetBlocked ? 'slowDown' : 'wrong' }
  }
  return ctx.services.db.transaction().execute(async (tx) => {
    const counter = (await throttleStore.lock(tx, [own.key], now)).get(own.key)
    if (!counter) throw new Error('the locked counter is missing')
    if (isBlocked(counter, now)) {
      await log(tx, ctx, attempt, 'throttled', userId)
      return { outcome: 'wrong' }
    }
    if (!isProven || !user.isEnabled) {
      await recordFailure(tx, attempt, counter, now)
      await log(tx, ctx, attempt, isProven ? 'disabled' : 'wrong', userId)
      return { outcome: 'wrong' }
    }
    await throttleStore.save(tx, [afterSuccess(counter)])
    const account = await stillProven(tx, user)
    if (!account) return { outcome: 'wrong' }
    const asked = await askSecondFactor(tx, ctx, account)
    if (!asked) return { outcome: 'ok', account, admitted: await admit(tx, ctx, account) }
    await log(tx, ctx, attempt, 'halfway', userId)
    return { outcome: 'halfway', asked }
  })
}

/** Undefined where the password was changed or the account disabled after the proof was read. */
async function stillProven(tx: Tx, { userId, sealed }: SignInUser): Promise<Account | undefined> {
  await sessionStore.holdUser(tx, userId)
  const account = await accountStore.findById(tx, userId)
  return account?.isEnabled && (await credentialStore.isStill(tx, userId, sealed)) ? account : undefined
}

const log = (
  db: CallContext['db'],
  { now, ip, agent }: CallContext,
  { account }: Attempt,
  outcome: logStore.Outcome,
  userId: number | null,
) => logStore.insert(db, { at: now(), account, userId, ip, agent, outcome })
