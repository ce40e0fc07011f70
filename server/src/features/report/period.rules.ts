import { addDays, daysBetween } from '../../kernel/businessDay'

/** Both included. */
export type Days = { from: string; to: string }
/** With the days that it is compared with. */
export type Period = Days & { days: number; before: Days }
type Asked = { [name in 'from' | 'to' | 'against']?: string | undefined }

const SHIPPED_DAYS = 30
const MOST_DAYS = 366

/**
 * @param today at the network's home; nothing is counted beyond it
 * @returns null for a period that ends before it begins or is longer than a year
 */
export function periodOf(asked: Asked, today: string): Period | null {
  const to = asked.to !== undefined && asked.to < today ? asked.to : today
  const from = asked.from ?? addDays(to, 1 - SHIPPED_DAYS)
  const days = daysBetween(from, to) + 1
  return days >= 1 && days <= MOST_DAYS ? { from, to, days, before: beforeOf(asked.against, { from, to }, days) } : null
}

function beforeOf(against: string | undefined, { from, to }: Days, days: number): Days {
  if (against === 'lastYear') return { from: yearBefore(from), to: yearBefore(to) }
  const first = against ?? addDays(from, -days)
  return { from: first, to: addDays(first, days - 1) }
}

/** 29 February has the last day of February before it. */
function yearBefore(day: string): string {
  const same = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  return same.endsWith('-02-29') ? `${same.slice(0, 8)}28` : same
}

/** The days that a row by time stands for, as far as they are in the period. @param name as the report writes it */
export function daysBehind(by: 'day' | 'week' | 'month', name: string, { from, to }: Days): Days {
  const first = by === 'month' ? `${name}-01` : name.slice(0, 10)
  const last = by === 'day' ? first : by === 'week' ? addDays(first, 6) : addDays(monthAfter(first), -1)
  return { from: first < from ? from : first, to: last > to ? to : last }
}

/** The first day of the month after the one of `day`. */
export const monthAfter = (day: string) => `${addDays(`${day.slice(0, 8)}28`, 4).slice(0, 8)}01`

export type Times = 'day' | 'month'
export type Piece = { first: string; last: string }

/** Days cut where a calendar month or year begins; both ends are included. */
export function piecesOf({ from, to }: Days, unit: 'month' | 'year'): Piece[] {
  const after = (day: string) => (unit === 'month' ? monthAfter(day) : addDays(`${day.slice(0, 5)}12-31`, 1))
  const pieces: Piece[] = []
  for (let first = from; first <= to; first = after(first)) {
    const last = addDays(after(first), -1)
    pieces.push({ first, last: last < to ? last : to })
  }
  return pieces
}
