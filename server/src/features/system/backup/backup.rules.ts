import { addDays, businessTime, mondayOf, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'

/** A run, by when it began. */
export type Run = { beganAt: Date; isGood: boolean | null }
export type Keep = { days: number; weeks: number }

/** What failed so often is not tried again before the next day: something has to be done about it first. */
const MOST_TRIES = 3

/**
 * Whether a backup is to begin: today's hour has come, or yesterday's was slept through, and none since was good.
 * @param hour of the platform's clock
 */
export function isDue(now: Date, hour: number, runs: readonly Run[]): boolean {
  const { day, hour: hourNow } = businessTime(now, PLATFORM_TIME_ZONE)
  const due = stamp(hourNow >= hour ? day : addDays(day, -1), hour)
  const since = runs.filter(({ beganAt }) => stampOf(beganAt) >= due)
  return since.length < MOST_TRIES && !since.some(({ isGood }) => isGood === true)
}

const stamp = (day: string, hour: number): string => `${day} ${String(hour).padStart(2, '0')}`

function stampOf(at: Date): string {
  const { day, hour } = businessTime(at, PLATFORM_TIME_ZONE)
  return stamp(day, hour)
}

/**
 * Which good backups are no longer wanted: all but the newest of each of the last days that have one, and of each of
 * the last weeks (from Monday on).
 */
export function expired<R extends { beganAt: Date }>(good: readonly R[], { days, weeks }: Keep): R[] {
  const newestFirst = good.toSorted((a, b) => b.beganAt.getTime() - a.beganAt.getTime())
  const dayOf = ({ beganAt }: R) => businessTime(beganAt, PLATFORM_TIME_ZONE).day
  const kept = new Set([
    ...newestOf(newestFirst, dayOf, days),
    ...newestOf(newestFirst, (r) => mondayOf(dayOf(r)), weeks),
  ])
  return newestFirst.filter((run, i) => i > 0 && !kept.has(run))
}

function newestOf<R>(newestFirst: readonly R[], spanOf: (run: R) => string, most: number): R[] {
  const newest = new Map<string, R>()
  for (const run of newestFirst) if (!newest.has(spanOf(run))) newest.set(spanOf(run), run)
  return [...newest.values()].slice(0, most)
}

/** `aisle-20261127-0307.tar.gz`: by the platform's clock, so that names sort by time. */
export function nameAt(now: Date): string {
  const { day, hour } = businessTime(now, PLATFORM_TIME_ZONE)
  const minute = String(now.getUTCMinutes()).padStart(2, '0')
  return `aisle-${day.replaceAll('-', '')}-${String(hour).padStart(2, '0')}${minute}.tar.gz`
}
