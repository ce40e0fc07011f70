import type { Cadence, KeptPeriod } from '@aisle/contract/report/kept'
import { addDays, clockTime, mondayOf, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import { type Days, monthAfter } from '../period.rules'

const MONDAY = 1
const HOUR_MS = 3_600_000

/**
 * When it is made by itself the next time: the first full hour after `now` that the cadence names.
 * @returns null for one that is made by hand alone
 */
export function nextRun({ cadence, atHour }: { cadence: Cadence; atHour: number }, now: Date): Date | null {
  if (cadence === 'never') return null
  const nextHour = (Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS
  // The home of the network has no summer time: each of its days has each hour once.
  for (let ms = nextHour; ; ms += HOUR_MS) {
    const { day, weekday, minute } = clockTime(new Date(ms), PLATFORM_TIME_ZONE)
    const isDay = cadence === 'daily' || (cadence === 'weekly' ? weekday === MONDAY : day.endsWith('-01'))
    if (isDay && minute === atHour * 60) return new Date(ms)
  }
}

/** The days that it is of, when it is made on `today`; null where they are those of the export. */
export function daysOf(period: KeptPeriod, today: string): Days | null {
  const yesterday = addDays(today, -1)
  const monday = mondayOf(today)
  const first = `${today.slice(0, 8)}01`
  switch (period) {
    case 'fixed':
      return null
    case 'yesterday':
      return { from: yesterday, to: yesterday }
    case 'sevenBefore':
      return { from: addDays(today, -7), to: yesterday }
    case 'thirtyBefore':
      return { from: addDays(today, -30), to: yesterday }
    case 'lastWeek':
      return { from: addDays(monday, -7), to: addDays(monday, -1) }
    case 'lastMonth': {
      const last = addDays(first, -1)
      return { from: `${last.slice(0, 8)}01`, to: last }
    }
    case 'thisMonth':
      return { from: first, to: addDays(monthAfter(first), -1) }
  }
}
