import { dateTimeFormat, relativeTimeFormat } from '@aisle/contract/kernel/formatters'
import { BUSINESS_ZONE, isElsewhere } from './zone'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MONTH_DAYS = 30

/** A clock that is ahead of ours by less is no future. */
const SKEW_MS = 2 * MINUTE_MS

/**
 * `3 min. ago` within a day, `yesterday 20:05` within a month, then the date; what is planned reads the same ahead.
 * A clock a little ahead of ours says "now".
 */
export function relativeTime(at: string, nowMs: number, locale: string, timeZone = BUSINESS_ZONE): string {
  const atMs = Date.parse(at)
  const ahead = atMs - nowMs > SKEW_MS ? 1 : -1
  const awayMs = ahead === 1 ? atMs - nowMs : Math.max(0, nowMs - atMs)
  const say = (count: number, unit: 'second' | 'minute' | 'hour' | 'day') =>
    relativeTimeFormat(locale, { style: 'short', numeric: isAuto(unit) ? 'auto' : 'always' }).format(
      ahead * Math.floor(count),
      unit,
    )
  if (awayMs < MINUTE_MS) return say(awayMs / 1_000, 'second')
  if (awayMs < HOUR_MS) return say(awayMs / MINUTE_MS, 'minute')
  if (awayMs < DAY_MS) return say(awayMs / HOUR_MS, 'hour')
  const days = Math.abs(dayNumber(nowMs, timeZone) - dayNumber(atMs, timeZone))
  if (days > MONTH_DAYS) return format(atMs, locale, { ...toTheMinute, ...inZone(timeZone) })
  return `${say(days, 'day')} ${format(atMs, locale, { ...minuteOfDay, ...inZone(timeZone) })}`
}

/** Near enough that it is told from now and not by its date. */
export const isNear = (at: string, nowMs: number): boolean => Math.abs(nowMs - Date.parse(at)) < MONTH_DAYS * DAY_MS

/** "Now" and "yesterday" read better than a zero and a one; an hour ago does not. */
const isAuto = (unit: string): boolean => unit === 'second' || unit === 'day'

const inZone = (timeZone: string) => ({ timeZone, ...(isElsewhere(timeZone) && { timeZoneName: 'short' as const }) })

const dayNumber = (ms: number, timeZone: string): number =>
  Date.parse(format(ms, 'en-CA', { dateStyle: 'short', timeZone })) / DAY_MS

const format = (ms: number, locale: string, options: Intl.DateTimeFormatOptions): string =>
  dateTimeFormat(locale, options).format(ms)

/** A day without a time, as the language writes it. */
export const dayText = (day: string, locale: string): string =>
  format(Date.parse(day), locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** To the second, with the zone that it is told in. */
export const absoluteTime = (at: string, locale: string, timeZone = BUSINESS_ZONE): string =>
  format(Date.parse(at), locale, { ...toTheSecond, timeZoneName: 'short', timeZone })

export const momentText = (at: string, locale: string, timeZone = BUSINESS_ZONE): string =>
  format(Date.parse(at), locale, { ...toTheSecond, ...inZone(timeZone) })

const minuteOfDay = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const toTheMinute = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  ...minuteOfDay,
} as const
const timeOfDay = { ...minuteOfDay, second: '2-digit' } as const
const toTheSecond = { year: 'numeric', month: '2-digit', day: '2-digit', ...timeOfDay } as const

export const clockTime = (at: string, locale: string, timeZone = BUSINESS_ZONE): string =>
  format(Date.parse(at), locale, { ...timeOfDay, ...inZone(timeZone) })

/** Marks of an axis, which have little room, and what is read out at one. */
const dayMark = (atMs: number, locale: string) =>
  format(atMs, locale, { month: 'numeric', day: 'numeric', timeZone: BUSINESS_ZONE })
const hourMark = (atMs: number, locale: string) => format(atMs, locale, { ...minuteOfDay, timeZone: BUSINESS_ZONE })
export const timeMark = (atMs: number, isDay: boolean, locale: string): string =>
  isDay ? dayMark(atMs, locale) : hourMark(atMs, locale)
export const shortMoment = (atMs: number, locale: string): string =>
  `${dayMark(atMs, locale)} ${hourMark(atMs, locale)}`
