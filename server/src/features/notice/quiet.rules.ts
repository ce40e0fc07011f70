import type { Quiet } from '@aisle/contract/notice/pushSetting'
import { clockTime, minuteOf } from '../../kernel/businessDay'

const DAY_MINUTES = 24 * 60
const MINUTE_MS = 60_000

/**
 * When a message that can wait may go out: at once outside quiet hours, else at their end.
 * @param quiet times of the receiver's zone, also across midnight
 */
export function afterQuiet(quiet: Quiet | null, timeZone: string, at: Date): Date {
  if (!quiet) return at
  const { minute } = clockTime(at, timeZone)
  const [from, to] = [minuteOf(quiet.from), minuteOf(quiet.to)]
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES
  const since = (minute - from + DAY_MINUTES) % DAY_MINUTES
  if (since >= length) return at
  const wholeMinute = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS
  return new Date(wholeMinute + (length - since) * MINUTE_MS)
}

/** Tries of one message, counted from 1, until it is given up. */
export const MOST_TRIES = 6
const waits = [1, 5, 15, 60, 240]

/** How long until the next try after so many; null: no more. */
export function retryAfterMs(tries: number): number | null {
  if (tries >= MOST_TRIES) return null
  return (waits[tries - 1] ?? 240) * MINUTE_MS
}
