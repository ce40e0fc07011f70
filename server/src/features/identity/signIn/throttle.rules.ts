/*
 * How often a password may be guessed (docs/decisions/0004). What failed is remembered for an account, for a device
 * that signed in before, for an address and for its subnet; each has its own patience.
 */

export type Counter = {
  key: string
  /** Failures without a quiet quarter of an hour between them. */
  failures: number
  windowEndsAt: Date
  blockedUntil: Date | null
  failuresToday: number
  /** 24 hours from the first failure that `failuresToday` counts. */
  dayEndsAt: Date
}

type Limits = { freeFailures: number; firstWaitMs: number; longestWaitMs: number; mostADay: number }

const WINDOW_MS = 15 * 60_000
const DAY_MS = 24 * 3600_000

const limits = {
  /** All devices that never signed in here, together, from wherever they come. */
  account: { freeFailures: 5, firstWaitMs: 30_000, longestWaitMs: WINDOW_MS, mostADay: 100 },
  device: { freeFailures: 10, firstWaitMs: 30_000, longestWaitMs: WINDOW_MS, mostADay: 100 },
  /** Never blocked by itself; one failure makes the next code a picture. */
  address: { freeFailures: Infinity, firstWaitMs: 0, longestWaitMs: 0, mostADay: Infinity },
  subnet: { freeFailures: 30, firstWaitMs: 5_000, longestWaitMs: 5_000, mostADay: Infinity },
  /** Not failures but codes sent to a phone: one a minute, ten a day (specification §7). */
  phone: { freeFailures: 0, firstWaitMs: 60_000, longestWaitMs: 60_000, mostADay: 10 },
  /** Codes that one address asked for, for whatever phones. */
  phoneAddress: { freeFailures: Infinity, firstWaitMs: 0, longestWaitMs: 0, mostADay: 30 },
} as const satisfies Record<string, Limits>
export type CounterKind = keyof typeof limits

/** More accounts than this failed at from one subnet within the window is spraying. */
export const SPRAYED_ACCOUNTS = 20

export const freshCounter = (key: string, now: Date): Counter => ({
  key,
  failures: 0,
  windowEndsAt: later(now, WINDOW_MS),
  blockedUntil: null,
  failuresToday: 0,
  dayEndsAt: later(now, DAY_MS),
})

export const isBlocked = (counter: Counter | undefined, now: Date): boolean =>
  counter?.blockedUntil !== undefined && counter.blockedUntil !== null && counter.blockedUntil > now

export const recentFailures = (counter: Counter | undefined, now: Date): number =>
  counter && counter.windowEndsAt > now ? counter.failures : 0

/** The window runs from the end of the wait: otherwise sitting out the longest wait would buy free tries again. */
export function afterFailure(counter: Counter, now: Date, kind: CounterKind): Counter {
  const limit = limits[kind]
  const failures = recentFailures(counter, now) + 1
  const isSameDay = counter.dayEndsAt > now
  const failuresToday = isSameDay ? counter.failuresToday + 1 : 1
  const dayEndsAt = isSameDay ? counter.dayEndsAt : later(now, DAY_MS)
  const wait = later(now, waitMs(failures, limit))
  const freeAgainAt = failuresToday >= limit.mostADay ? latest(wait, dayEndsAt) : wait
  return {
    key: counter.key,
    failures,
    windowEndsAt: later(freeAgainAt, WINDOW_MS),
    blockedUntil: freeAgainAt > now ? freeAgainAt : null,
    failuresToday,
    dayEndsAt,
  }
}

/** The day's count stays: who knows one password may not reset the guesses at it. */
export const afterSuccess = (counter: Counter): Counter => ({ ...counter, failures: 0, blockedUntil: null })

/** 30 s, 1 min, 2 min … up to the longest, once the free failures are used up. */
function waitMs(failures: number, limit: Limits): number {
  const over = failures - limit.freeFailures
  return over < 0 ? 0 : Math.min(limit.firstWaitMs * 2 ** over, limit.longestWaitMs)
}

export type Suspicion = {
  account: Counter | undefined
  /** Undefined unless the caller's device cookie is good for this account. */
  device: Counter | undefined
  address: Counter | undefined
  subnet: Counter | undefined
  system: Counter | undefined
  sprayedAccounts: number
  isTrustedDevice: boolean
}

/** Whether the code must be read off a picture. A device that signed in before answers for its own failures only. */
export function mustType(seen: Suspicion, now: Date): boolean {
  if (seen.isTrustedDevice) return recentFailures(seen.device, now) > 0
  if (recentFailures(seen.account, now) > 0 || recentFailures(seen.address, now) > 0) return true
  if (recentFailures(seen.subnet, now) >= limits.subnet.freeFailures) return true
  return seen.sprayedAccounts > SPRAYED_ACCOUNTS || isBlocked(seen.system, now)
}

/** Whether the share of failed sign-ins is out of the ordinary. Few failures say nothing, whatever their share. */
export const isUnderAttack = (recent: { tries: number; failures: number }, usualShare: number): boolean =>
  recent.failures >= 50 && recent.failures / recent.tries > 5 * usualShare

const later = (from: Date, ms: number) => new Date(from.getTime() + ms)
const latest = (a: Date, b: Date) => (a > b ? a : b)
