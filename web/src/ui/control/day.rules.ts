import { BUSINESS_ZONE } from '../zone'

const WHOLE_DAY = /^\d{4}-\d{2}-\d{2}$/
const WHOLE_TIME = /^\d{2}:\d{2}$/
const WHOLE_MOMENT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})$/

/**
 * The day, `2026-11-28`, that somebody typed: year first or last, any strokes between or none.
 * @returns null for what is no day of the calendar
 */
export function readDay(text: string): string | null {
  const parts = /^\d{8}$/.test(text.trim())
    ? [text.trim().slice(0, 4), text.trim().slice(4, 6), text.trim().slice(6)]
    : text.split(/\D+/).filter(Boolean)
  const [a = '', b = '', c = ''] = parts
  if (parts.length !== 3) return null
  if (a.length === 4) return dayOf(Number(a), Number(b), Number(c))
  return c.length === 4 ? dayOf(Number(c), Number(b), Number(a)) : null
}

/** A moment, as ISO in UTC, from a day and a time on the network's clock: `2026-11-28 14:05`. */
export function readMoment(text: string): string | null {
  const [, dayText = '', timeText = ''] = /^(.*?)[\sT]+(\S+)$/.exec(text.trim()) ?? []
  const [day, time] = [readDay(dayText), readTime(timeText)]
  if (!day || !time) return null
  const guess = Date.parse(`${day}T${time}Z`)
  return new Date(guess - aheadMs(guess)).toISOString()
}

/** The time of day, `09:05`, in 24 hours in every language; null for what is none. */
export function readTime(text: string): string | null {
  const [, hours = '', minutes = ''] = /^(\d{1,2})(?:[:.h时]|(?=\d\d$))(\d{2})\D*$/.exec(text.trim()) ?? []
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return null
  return `${hours.padStart(2, '0')}:${minutes}`
}

/** The moment of `readMoment` as it is typed; '' for what is none. */
export function momentTyped(value: string): string {
  const at = Date.parse(value)
  if (Number.isNaN(at)) return ''
  return new Date(at + aheadMs(at)).toISOString().slice(0, 16).replace('T', ' ')
}

/** How far the network's clock is ahead of UTC's then. */
const aheadMs = (at: number) => Date.parse(`${onClock.format(at).replace(' ', 'T')}Z`) - at + (at % 1_000)
const onClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: BUSINESS_ZONE,
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** Whether nobody would type on: until then the parts of a day may make another one. */
export const isWholeDay = (text: string): boolean => WHOLE_DAY.test(text)
export const isWholeTime = (text: string): boolean => WHOLE_TIME.test(text)
export const isWholeMoment = (text: string): boolean => WHOLE_MOMENT.test(text)

/** As the calendar has it: that day's midnight in this place's own zone. */
export const dateOf = (day: string): Date | undefined => (isWholeDay(day) ? new Date(`${day}T00:00`) : undefined)

export const dayOfDate = (date: Date): string =>
  `${String(date.getFullYear()).padStart(4, '0')}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`

function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isThere = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1900 && year <= 9999
  return isThere ? `${year}-${pad(month)}-${pad(day)}` : null
}

const pad = (value: number) => String(value).padStart(2, '0')
