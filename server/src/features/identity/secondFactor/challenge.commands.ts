import { randomBytes, randomInt } from 'node:crypto'
import type { CallOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getCheckCode, getLoginParam } from '@aisle/contract/identity/session'
import { b64u, defaultKdf, kdfText, normaliseAccount } from '@aisle/contract/identity/signin'
import type { CallContext } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { attemptOf } from '../signIn/attempt.rules'
import * as challengeStore from './challenge.store'
import { pictureOf } from '../signIn/checkCode.picture'
import { CODE_LIVES_S, newCode } from '../signIn/checkCode.rules'
import { kdfFrom, saltFor } from '../password/credential'
import { decoyOf } from '../password/decoy'
import { mustTypeNow } from '../signIn/throttle.commands'
import * as userStore from '../account/user.store'

/** A whole office behind one address holds fewer; a flood does not fill the table. */
const MOST_CODES_AN_ADDRESS = 600

/** The client's own idea of a first attempt is never asked: without an account only its address speaks for it. */
export async function offerCode(
  ctx: CallContext,
  input: CallOf<typeof getCheckCode>,
): Promise<OutputOf<typeof getCheckCode>> {
  const now = ctx.now()
  const held = await challengeStore.countOf(ctx.db, ctx.ip, now, MOST_CODES_AN_ADDRESS)
  if (held >= MOST_CODES_AN_ADDRESS) return refuse('signIn.slowDown')
  const mode = (await mustTypeNow(ctx, attemptBy(ctx, input.account ?? ''))) ? 'typed' : 'auto'
  const cid = b64u(randomBytes(16))
  const code = newCode(randomInt)
  const shown = mode === 'auto' ? { checkCode: code } : { image: await pictureOf(code) }
  const expiresAt = new Date(now.getTime() + CODE_LIVES_S * 1000)
  await challengeStore.insert(ctx.db, { cid, code, mode, ip: ctx.ip, expiresAt })
  return { cid, mode, ...shown, exp: CODE_LIVES_S }
}

/** What the client needs to prove its password. Salts are the only thing to gather here, so each one is logged. */
export async function giveLoginParam(
  ctx: CallContext,
  input: CallOf<typeof getLoginParam>,
): Promise<OutputOf<typeof getLoginParam>> {
  // Signed into the proof, so that a page on another origin can't pass a proof on.
  if (ctx.origin === '') return refuse('request.malformed')
  const { keys, log } = ctx.services
  const account = normaliseAccount(input.account)
  const mayBeAuto = !(await mustTypeNow(ctx, attemptBy(ctx, account)))
  const user = await userStore.findToSignIn(ctx.db, account, decoyOf(keys), kdfText(defaultKdf))
  const snonce = b64u(randomBytes(16))
  const to = { account, cnonce: input.cnonce, snonce, origin: ctx.origin }
  const isBound = await challengeStore.bind(ctx.db, input.cid, to, mayBeAuto, ctx.now())
  log.info({ traceId: ctx.traceId, account, ip: ctx.ip, isBound }, 'salt asked')
  if (!isBound) return refuse('signIn.codeInvalid')
  return { salt: b64u(saltFor(keys, account)), kdf: kdfFrom(user.kdf), snonce, v: 1 }
}

const attemptBy = (ctx: CallContext, account: string) =>
  attemptOf(
    { ip: ctx.ip, deviceCookie: ctx.deviceCookie, deviceKey: ctx.services.keys.device, now: ctx.now() },
    normaliseAccount(account),
  )
