import { createHmac } from 'node:crypto'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Before each try, as the Standard Webhooks specification proposes: ten tries in a little over three days. */
const waitsMs = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** What failed together is not tried together again: so much of a pause, at most, comes on top. */
const JITTER = 0.1

/** @param tries made so far. @param chance from 0 to 1. @returns null when it is tried no more */
export function nextTryAt(tries: number, now: Date, chance: number): Date | null {
  const waitMs = waitsMs[tries]
  return waitMs === undefined ? null : new Date(now.getTime() + Math.round(waitMs * (1 + JITTER * chance)))
}

/** How a try went: taken; gone for ever (410); asked to slow down; or not taken, whatever the answer was. */
export type Outcome = 'taken' | 'gone' | 'slow' | 'failed'

/** Only 2xx is taken: a redirect would lead past the address that was allowed. */
export function outcomeOf(status: number | null): Outcome {
  if (status === null) return 'failed'
  if (status >= 200 && status < 300) return 'taken'
  if (status === 410) return 'gone'
  return [429, 502, 503, 504].includes(status) ? 'slow' : 'failed'
}

const SLOW_MS = 30 * SECOND_MS
const MOST_REST_MS = 5 * MINUTE_MS

/**
 * How long a receiver has its peace after rounds in which it took nothing: seconds that double up to five minutes.
 * Who asks to slow down is obeyed from a second to an hour.
 * @param failures rounds one after the other, with this one
 */
export function restMs(failures: number, slow: { retryAfter: string | undefined; now: Date } | null): number {
  const own = failures < 3 ? 0 : Math.min(MOST_REST_MS, 5 * SECOND_MS * 2 ** Math.min(failures - 3, 10))
  return slow ? Math.max(own, askedMs(slow.retryAfter, slow.now)) : own
}

/** Seconds, or a date as HTTP writes it. */
function askedMs(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return SLOW_MS
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * SECOND_MS : Date.parse(retryAfter) - now.getTime()
  return Number.isFinite(ms) ? Math.min(HOUR_MS, Math.max(SECOND_MS, ms)) : SLOW_MS
}

const FAILING_DAYS = 5

/** Nothing was taken for so long that nobody seems to be there. */
export const isGivenUp = (failingSince: Date, now: Date): boolean =>
  now.getTime() - failingSince.getTime() >= FAILING_DAYS * DAY_MS

export const SECRET_PREFIX = 'whsec_'

export type Message = { id: string; at: Date; body: string }

/** `v1` of the Standard Webhooks specification: HMAC-SHA256 over id, seconds and body, one signature a secret. */
export function signaturesOf(secrets: readonly string[], { id, at, body }: Message): string {
  const text = `${id}.${secondsOf(at)}.${body}`
  return secrets.map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(text).digest('base64')}`).join(' ')
}

export const secondsOf = (at: Date): number => Math.floor(at.getTime() / SECOND_MS)

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
