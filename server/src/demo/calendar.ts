import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../kernel/businessDay'

export const DAY_MS = 86_400_000
export const HOUR_MS = 3_600_000

export type DemoDay = {
  /** YYYY-MM-DD in the platform's zone, which all machines of the demo share. */
  day: string
  month: number
  startMs: number
  /** 0 is today. */
  daysAgo: number
  /** The network grew a little: from 0.95 at the beginning to 1.05 today. */
  growth: number
}

/** The days of the history, oldest first; today is the last and not over yet. */
export function calendar(now: Date, days: number): DemoDay[] {
  const today = businessTime(now, PLATFORM_TIME_ZONE).day
  return Array.from({ length: days + 1 }, (_, index) => {
    const day = addDays(today, index - days)
    return {
      day,
      month: Number(day.slice(5, 7)),
      startMs: Date.parse(`${day}T00:00:00+08:00`),
      daysAgo: days - index,
      growth: 0.95 + (0.1 * index) / Math.max(1, days),
    }
  })
}
