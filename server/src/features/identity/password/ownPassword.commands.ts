import { randomBytes, randomInt } from 'node:crypto'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getOwnPasswordParam, PasswordPolicy } from '@aisle/contract/identity/password'
import {
  authMessage,
  b64u,
  defaultKdf,
  equalBytes,
  kdfText,
  parsePasswordField,
  verifyProof,
} from '@aisle/contract/identity/signin'
import { passwordMax, passwordMin } from '@aisle/contract/system/settings'
import type { QueryContext, Reader, Tx } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { settingOf } from '../../../kernel/settings'
import * as challengeStore from '../secondFactor/challenge.store'
import { CODE_LIVES_S, newCode } from '../signIn/checkCode.rules'
import { kdfFrom, openCredential, saltFor } from './credential'
import { decoyOf } from './decoy'
import { countTry } from '../signIn/try.commands'
import * as userStore from '../account/user.store'

export async function policyOf(db: Reader): Promise<PasswordPolicy> {
  return { min: await settingOf(db, passwordMin, null), max: await settingOf(db, passwordMax, null) }
}

/** As in signing in, without a code to read: whoever asks has a session. */
export async function giveOwnParam(
  ctx: QueryContext,
  { cnonce }: InputOf<typeof getOwnPasswordParam>,
): Promise<OutputOf<typeof getOwnPasswordParam>> {
  if (ctx.origin === '') return refuse('request.malformed')
  const { account } = ctx.actor
  const { keys } = ctx.services
  const user = await userStore.findToSignIn(ctx.db, account, decoyOf(keys), kdfText(defaultKdf))
  const cid = b64u(randomBytes(16))
  const snonce = b64u(randomBytes(16))
  const checkCode = newCode(randomInt)
  const expiresAt = new Date(ctx.now().getTime() + CODE_LIVES_S * 1000)
  await challengeStore.insert(ctx.db, { cid, code: checkCode, mode: 'auto', ip: ctx.ip, expiresAt })
  await challengeStore.bind(ctx.db, cid, { account, cnonce, snonce, origin: ctx.origin }, true, ctx.now())
  const salt = b64u(saltFor(keys, account))
  const policy = await policyOf(ctx.db)
  const phone = await userStore.phoneOf(ctx.db, ctx.actor.userId)
  return { account, cid, checkCode, snonce, salt, kdf: kdfFrom(user.kdf), v: 1, policy, phone }
}

/**
 * Whoever finds a browser open can't take the account over: they would have to know its password.
 * @throws Refusal password.wrong, password.slowDown
 */
export async function proveOwnPassword(ctx: QueryContext, proof: string): Promise<void> {
  const { userId } = ctx.actor
  // A transaction of its own, so that the try counts although the command is refused.
  const tried = await ctx.services.db
    .transaction()
    .execute((tx) => countTry(tx, `own|${userId}`, ctx.now(), () => isProven(tx, ctx, proof)))
  if (tried === 'slowDown') return refuse('password.slowDown')
  if (tried === 'wrong') return refuse('password.wrong')
}

async function isProven(tx: Tx, ctx: QueryContext, text: string): Promise<boolean> {
  const { account } = ctx.actor
  const { keys } = ctx.services
  const sent = parsePasswordField(text)
  const challenge = sent && (await challengeStore.burn(tx, sent.cid, ctx.now()))
  if (!challenge) return false
  if (challenge.account !== account || challenge.origin !== ctx.origin) return false
  const user = await userStore.findToSignIn(tx, account, decoyOf(keys), kdfText(defaultKdf))
  if (user.userId === userStore.NOBODY) return false
  const salt = b64u(saltFor(keys, account))
  const am = authMessage({ ...challenge, checkCode: challenge.code, cid: sent.cid, salt, kdf: kdfFrom(user.kdf) })
  return verifyProof(openCredential(keys, user.userId, user.sealed).storedKey, am, sent.proof)
}

/** Whether this is the verifier that is kept already: a password that must be changed can't stay. */
export async function isKept(ctx: QueryContext, account: string, storedKey: Uint8Array): Promise<boolean> {
  const { keys } = ctx.services
  const user = await userStore.findToSignIn(ctx.db, account, decoyOf(keys), kdfText(defaultKdf))
  return equalBytes(openCredential(keys, user.userId, user.sealed).storedKey, storedKey)
}
