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
