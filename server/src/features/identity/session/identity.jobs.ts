import type { Services } from '../../../kernel/context'
import type { Job } from '../../../kernel/jobs'
import { SESSION_IDLE_MS } from '../../../kernel/token'
import { SYSTEM_KEY } from '../signIn/attempt.rules'
import * as sweepStore from './sweep.store'
import { isUnderAttack } from '../signIn/throttle.rules'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3600_000

export const jobs: Job[] = [
  { name: 'identity.sweepSignIn', cron: '*/5 * * * *', run: sweepSignIn },
  { name: 'identity.watchSignIn', cron: '*/5 * * * *', run: watchSignIn },
  { name: 'identity.endSessions', cron: '*/10 * * * *', run: endSessions },
  { name: 'identity.forgetOld', cron: '20 3 * * *', run: forgetOld },
]

async function sweepSignIn({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await sweepStore.deleteChallenges(db, now)
  await sweepStore.deleteCounters(db, now)
  await sweepStore.deleteOnTheirWay(db, now)
}

/** A quarter of an hour of pictures for everybody without a device cookie, renewed while it goes on. */
async function watchSignIn({ db, clock, log }: Services): Promise<void> {
  const now = clock.now()
  const recent = await sweepStore.triesSince(db, before(now, 15 * MINUTE_MS))
  const usualShare = await sweepStore.usualFailureShare(db, before(now, 7 * DAY_MS), before(now, 15 * MINUTE_MS))
  if (!isUnderAttack(recent, usualShare)) return
  log.warn({ ...recent, usualShare }, 'sign-in under attack')
  await sweepStore.blockSystem(db, SYSTEM_KEY, now, new Date(now.getTime() + 15 * MINUTE_MS))
}

async function endSessions({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await sweepStore.endIdleSessions(db, now, before(now, SESSION_IDLE_MS))
}

async function forgetOld({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await sweepStore.deleteIdempotencyKeys(db, before(now, 7 * DAY_MS))
  await sweepStore.deleteSessions(db, before(now, 90 * DAY_MS))
  await sweepStore.deleteLog(db, before(now, 365 * DAY_MS), before(now, 7 * DAY_MS))
}

const before = (now: Date, ms: number) => new Date(now.getTime() - ms)
