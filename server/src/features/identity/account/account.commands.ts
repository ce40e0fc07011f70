import { announce } from '../../../kernel/announce'
import type { Reader, Tx } from '../../../kernel/context'
import { accountKeyOf } from '../signIn/attempt.rules'
import * as begunStore from '../session/begun.store'
import * as sessionStore from '../session/session.store'
import { afterSuccess, isBlocked } from '../signIn/throttle.rules'
import * as throttleStore from '../signIn/throttle.store'

/**
 * All that was begun for a person, whoever began it: second steps, set-ups, reset codes and tickets, then every
 * session. Called wherever what proves a person changes, and wherever they shall be out. At once and everywhere: open
 * browsers hear it with the commit.
 * @param but a session that stays, or one whose browser knows already
 * @returns how many sessions there were
 */
export async function endAllBegun(
  tx: Tx,
  userId: number,
  reason: sessionStore.EndReason,
  now: Date,
  but: { kept?: Buffer; untold?: Buffer } = {},
): Promise<number> {
  await sessionStore.holdUser(tx, userId)
  await begunStore.deleteOf(tx, userId)
  const ended = await sessionStore.endAllOf(tx, userId, reason, now, but.kept ?? null)
  const code = reason === 'elsewhere' ? 'B1000' : 'S9999'
  for (const tokenHash of ended) {
    if (but.untold?.equals(tokenHash)) continue
    await announce(tx, { topic: 'session', tokenHash: tokenHash.toString('hex'), code })
  }
  return ended.length
}

/** Until when guessing at an account from unknown devices is blocked; null when it is not. */
export async function blockedUntil(db: Reader, account: string, now: Date): Promise<Date | null> {
  const key = accountKeyOf(account)
  const counter = (await throttleStore.read(db, [key])).get(key)
  return counter && isBlocked(counter, now) ? counter.blockedUntil : null
}

/** Lets the account be tried again. The day's count goes too: an administrator has spoken with its owner. */
export async function unblock(tx: Tx, account: string, now: Date): Promise<void> {
  const key = accountKeyOf(account)
  const counter = (await throttleStore.lock(tx, [key], now)).get(key)
  if (counter) await throttleStore.save(tx, [{ ...afterSuccess(counter), failuresToday: 0 }])
}
