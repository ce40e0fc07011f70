import { randomBytes } from 'node:crypto'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { onLogin } from '@aisle/contract/identity/session'
import { b64u, normaliseAccount } from '@aisle/contract/identity/signin'
import { momentText } from '../../../kernel/businessDay'
import type { CallContext, Tx } from '../../../kernel/context'
import { send } from '../../../kernel/outbox'
import { hashToken, SESSION_WHOLE_MS } from '../../../kernel/token'
import { word } from '../../../kernel/words'
import { endAllBegun } from '../account/account.commands'
import type { Account } from '../account/account.store'
import { attemptOf } from './attempt.rules'
import { DEVICE_LIVES_S, deviceCookie } from '../session/device.rules'
import * as logStore from './log.store'
import { menuOf } from '../menu/menu.store'
import * as sessionStore from '../session/session.store'
import { subnetOf } from './subnet.rules'
import * as userStore from '../account/user.store'

export type FailedBefore = { count: number; lastAt: Date; lastIp: string }
export type Admitted = { token: string; failedBefore: FailedBefore | null }

/** Fewer than this, from one's own network, is somebody who mistyped; it is told at sign-in and needs no message. */
const TELLING_FAILURES = 3

/** Whoever has proven everything comes in here: log, session, and what happened to the account meanwhile. */
export async function admit(tx: Tx, ctx: CallContext, account: Account, openedBy?: OpenedBy): Promise<Admitted> {
  const { userId } = account
  const failedBefore = openedBy ? null : await logStore.failuresSince(tx, userId, ctx.now())
  const { ip, agent } = ctx
  await logStore.insert(tx, { at: ctx.now(), account: account.account, userId, ip, agent, outcome: 'ok' })
  const token = await openSession(tx, ctx, account, openedBy)
  if (failedBefore) await tellFailures(tx, ctx, account, failedBefore)
  return { token, failedBefore }
}

/** The session that asked for a hand-over ticket. */
export type OpenedBy = { endsAt: Date }

/** @returns the session key, which only the client keeps */
async function openSession(tx: Tx, ctx: CallContext, account: Account, openedBy?: OpenedBy): Promise<string> {
  const { userId, isSingleSession, mustChange } = account
  const now = ctx.now()
  // A hand-over is the same person in another system: it puts nobody out.
  if (isSingleSession && !openedBy) await endAllBegun(tx, userId, 'elsewhere', now)
  const token = b64u(randomBytes(32))
  await sessionStore.insert(tx, {
    tokenHash: hashToken(token),
    userId,
    createdAt: now,
    endsAt: openedBy?.endsAt ?? new Date(now.getTime() + SESSION_WHOLE_MS),
    ip: ctx.ip,
    agent: ctx.agent,
    limitedTo: mustChange ? 'password' : null,
  })
  return token
}

async function tellFailures(tx: Tx, ctx: CallContext, account: Account, failed: FailedBefore): Promise<void> {
  const isOwnNetwork = subnetOf(failed.lastIp) === subnetOf(ctx.ip)
  if (isOwnNetwork && failed.count < TELLING_FAILURES) return
  const { language, merchantId, userId } = account
  const { count, lastAt, lastIp } = failed
  const vars = { account: account.account, count: String(count), at: momentText(lastAt), ip: lastIp }
  await send(tx, ctx.services.keys, {
    type: 'signIn.afterFailures',
    channel: 'web',
    merchantId,
    userId,
    receiver: '',
    title: word(language, 'identity', 'message.failures.title'),
    body: word(language, 'identity', 'message.failures.body', vars),
    vars,
    language,
    reference: `signIn.afterFailures:${userId}:${lastAt.toISOString()}`,
    at: ctx.now(),
  })
}

type Answer = OutputOf<typeof onLogin>

/** What the client of an admitted person hears, with a device cookie for the next time. */
export async function welcome(ctx: CallContext, account: Account, admitted: Admitted): Promise<Answer> {
  const { keys } = ctx.services
  const name = normaliseAccount(account.account)
  const { deviceId } = attemptOf(
    { ip: ctx.ip, deviceCookie: ctx.deviceCookie, deviceKey: keys.device, now: ctx.now() },
    name,
  )
  ctx.keepDevice(deviceCookie(keys.device, name, deviceId ?? b64u(randomBytes(16)), ctx.now()), DEVICE_LIVES_S)
  const menuJsonTree = await menuOf(ctx.db, await userStore.rightsOf(ctx.db, account.userId), ctx.language)
  const { failedBefore, token } = admitted
  return {
    code: '',
    msg: '',
    session_key: token,
    userInfo: { userid: String(account.userId), accountname: account.account, menuJsonTree },
    ...(account.mustChange ? { mustChangePassword: true } : {}),
    ...(failedBefore ? { failedBefore: { ...failedBefore, lastAt: failedBefore.lastAt.toISOString() } } : {}),
  }
}
