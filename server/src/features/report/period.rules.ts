import { addDays } from '../../kernel/businessDay'

/** Days, both included. */
export type Period = { from: string; to: string; days: number }

const DAY_MS = 86_400_000
const SHIPPED_DAYS = 30
const MOST_DAYS = 366

/**
 * @param today at the network's home; nothing is counted beyond it
 * @returns null for a period that ends before it begins or is longer than a year
 */
export function periodOf(asked: { from?: string | undefined; to?: string | undefined }, today: string): Period | null {
  const to = asked.to !== undefined && asked.to < today ? asked.to : today
  const from = asked.from ?? addDays(to, 1 - SHIPPED_DAYS)
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return days >= 1 && days <= MOST_DAYS ? { from, to, days } : null
}

/** The days that a row by time stands for, as far as they are in the period. @param name as the report writes it */
export function daysBehind(
  by: 'day' | 'week' | 'month',
  name: string,
  { from, to }: Pick<Period, 'from' | 'to'>,
): { from: string; to: string } {
  const first = by === 'month' ? `${name}-01` : name.slice(0, 10)
  const last = by === 'day' ? first : by === 'week' ? addDays(first, 6) : addDays(monthAfter(first), -1)
  return { from: first < from ? from : first, to: last > to ? to : last }
}

/** The first day of the month after the one of `day`. */
export const monthAfter = (day: string) => `${addDays(`${day.slice(0, 8)}28`, 4).slice(0, 8)}01`

export type Times = 'day' | 'month'
export type Piece = { first: string; last: string }

/** Days cut where a calendar month or year begins; both ends are included. */
export function piecesOf({ from, to }: { from: string; to: string }, unit: 'month' | 'year'): Piece[] {
  const after = (day: string) => (unit === 'month' ? monthAfter(day) : addDays(`${day.slice(0, 5)}12-31`, 1))
  const pieces: Piece[] = []
  for (let first = from; first <= to; first = after(first)) {
    const last = addDays(after(first), -1)
    pieces.push({ first, last: last < to ? last : to })
  }
  return pieces
}
