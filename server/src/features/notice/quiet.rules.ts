import { dateTimeFormat } from '@aisle/contract/kernel/formatters'
import type { Quiet } from '@aisle/contract/notice/pushSetting'

const DAY_MINUTES = 24 * 60
const MINUTE_MS = 60_000

/**
 * When a message that can wait may go out: at once outside quiet hours, else at their end.
 * @param quiet times of the receiver's zone, also across midnight
 */
export function afterQuiet(quiet: Quiet | null, timeZone: string, at: Date): Date {
  if (!quiet) return at
  const minute = minuteOfDay(timeZone, at)
  const [from, to] = [minutes(quiet.from), minutes(quiet.to)]
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES
  const since = (minute - from + DAY_MINUTES) % DAY_MINUTES
  if (since >= length) return at
  const wholeMinute = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS
  return new Date(wholeMinute + (length - since) * MINUTE_MS)
}

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

function minuteOfDay(timeZone: string, at: Date): number {
  const clock = dateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const parts = clock.formatToParts(at)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value ?? 0)
  return (part('hour') % 24) * 60 + part('minute')
}

/** Tries of one message, counted from 1, until it is given up. */
export const MOST_TRIES = 6
const waits = [1, 5, 15, 60, 240]

/** How long until the next try after so many; null: no more. */
export function retryAfterMs(tries: number): number | null {
  if (tries >= MOST_TRIES) return null
  return (waits[tries - 1] ?? 240) * MINUTE_MS
}
