import { BUSINESS_ZONE } from './zone'

/** Specification §9, date presets: nothing is shown from before. As shipped; a setting says otherwise. */
let firstDay = '2019-06-01'
const DAY_MS = 24 * 3600_000

const inZone = new Intl.DateTimeFormat('en-CA', { timeZone: BUSINESS_ZONE, dateStyle: 'short' })

/** The business day, `2026-11-20`, of a moment. */
export const businessDay = (atMs: number): string => inZone.format(atMs)

export const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)

export const dataBeginsOn = (day: string): void => {
  firstDay = day
}

/** The date presets of specification §9, both ends included, none before the data begins. */
export const dayPresets = {
  today: (today: string) => kept(today, today),
  yesterday: (today: string) => kept(dayBefore(today, 1), dayBefore(today, 1)),
  last7Days: (today: string) => kept(dayBefore(today, 6), today),
  last30Days: (today: string) => kept(dayBefore(today, 29), today),
  /** From Monday to Sunday. */
  lastWeek: (today: string) => {
    const sunday = dayBefore(today, new Date(`${today}T00:00:00Z`).getUTCDay() || 7)
    return kept(dayBefore(sunday, 6), sunday)
  },
  currentMonth: (today: string) => kept(firstOf(today), today),
  lastMonth: (today: string) => {
    const end = dayBefore(firstOf(today), 1)
    return kept(firstOf(end), end)
  },
  last3Months: (today: string) => kept(firstOf(dayBefore(firstOf(dayBefore(firstOf(today), 1)), 1)), today),
}

/** As they stand in a bar and inside a calendar. */
export const presetNames = Object.keys(dayPresets) as (keyof typeof dayPresets)[]

const firstOf = (day: string) => `${day.slice(0, 8)}01`
const kept = (from: string, to: string) => ({ from: notBefore(from), to: notBefore(to) })
const notBefore = (day: string): string => (day < firstDay ? firstDay : day)
