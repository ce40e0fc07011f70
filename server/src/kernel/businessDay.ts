import { dateTimeFormat } from '@aisle/contract/kernel/formatters'

export type BusinessTime = { day: string; hour: number }

const dayAndHour = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' } as const

/** The calendar day and hour of an instant in a time zone. */
export function businessTime(at: Date, timeZone: string): BusinessTime {
  const kept = known.get(timeZone) ?? new Map<number, BusinessTime>()
  if (kept.size === 0) known.set(timeZone, kept)
  const quarter = Math.floor(at.getTime() / QUARTER_MS)
  const time = kept.get(quarter) ?? timeIn(timeZone, at)
  if (kept.size >= MOST_QUARTERS) kept.clear()
  kept.set(quarter, time)
  return time
}

/** Every zone is off UTC by whole quarters of an hour, so all of a quarter falls into the same hour. */
const QUARTER_MS = 15 * 60_000
/** Ten days: sales come in with the time of now, or with that of an outage. */
const MOST_QUARTERS = 1_000
const known = new Map<string, Map<number, BusinessTime>>()

function timeIn(timeZone: string, at: Date): BusinessTime {
  const parts = dateTimeFormat('en-CA', { ...dayAndHour, timeZone }).formatToParts(at)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  return { day: `${part('year')}-${part('month')}-${part('day')}`, hour: Number(part('hour')) % 24 }
}

/** The wallboard's day and that of everything without a machine (docs/GLOSSARY.md, business day). */
export const PLATFORM_TIME_ZONE = 'Asia/Shanghai'

const momentFormat = new Intl.DateTimeFormat('sv-SE', {
  timeZone: PLATFORM_TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'short',
})
/** An instant as messages to people name it, in the zone of the network's home: 2026-11-20 12:00. */
export const momentText = (at: Date): string => momentFormat.format(at)

const DAY_MS = 86_400_000

/** A day moved by whole days, as days are written: YYYY-MM-DD. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** From one day to another, as days are written; below 0 where the second is before the first. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

/** @param time `HH:MM` @returns the minute of the day */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** What a clock on the wall there shows: the day, which of the week it is from Monday on, and the minute of the day. */
export function clockTime(at: Date, timeZone: string): { day: string; weekday: number; minute: number } {
  const { day, hour } = businessTime(at, timeZone)
  const minute = Number(dateTimeFormat('en-CA', { minute: '2-digit', timeZone }).format(at))
  return { day, weekday: weekdayOf(day), minute: hour * 60 + minute }
}

/** From 1 on Monday to 7 on Sunday. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/** Of the week that the day is in. */
export const mondayOf = (day: string): string => addDays(day, 1 - weekdayOf(day))
