import { clockTime, minuteOf } from '../../kernel/businessDay'

export type BusinessHours = { from: string; to: string; atWeekends: boolean; timeZone: string }

const DAY_MINUTES = 24 * 60
const MINUTE_MS = 60_000
const FRIDAY = 5
/** Two hundred hours of one minute a day: more days than that are a mistake. */
const MOST_DAYS = 20_000

/** When so many business hours have gone by since then. */
export function promisedAt(since: Date, hours: number, business: BusinessHours): Date {
  const [from, to] = [minuteOf(business.from), minuteOf(business.to)]
  let at = since
  let left = hours * 60
  for (let days = 0; days < MOST_DAYS; days += 1) {
    const { minute, weekday } = clockTime(at, business.timeZone)
    const begins = Math.max(minute, from)
    const open = weekday > FRIDAY && !business.atWeekends ? 0 : Math.max(to - begins, 0)
    if (left <= open) return new Date(at.getTime() + (begins - minute + left) * MINUTE_MS)
    left -= open
    at = new Date(at.getTime() + (DAY_MINUTES - minute) * MINUTE_MS)
  }
  throw new RangeError(`no ${hours} business hours in ${MOST_DAYS} days`)
}
