import type { trendUnits } from '@aisle/contract/report/overview'
import type { BusinessType, PaymentMethod } from '@aisle/contract/trade/states'
import { addDays } from '../../kernel/businessDay'
import type { Period } from './period.rules'

type Span = Omit<Period, 'before'>

export type Unit = (typeof trendUnits)[number]

type Figures = {
  orders: number
  paidFen: number
  discountFen: number
  refunds: number
  refundedFen: number
  offlineOrders: number
}
/** `bucket`: the place in the trend; -1 for what has none. */
export type Cell = Figures & { isBefore: boolean; bucket: number; method: PaymentMethod; type: BusinessType }

const MOST_DAYS = 62
const MOST_WEEK_DAYS = 184

/** A line stays readable up to about sixty points. */
export function unitOf({ days }: Pick<Period, 'days'>): Unit {
  if (days === 1) return 'hour'
  if (days <= MOST_DAYS) return 'day'
  return days <= MOST_WEEK_DAYS ? 'week' : 'month'
}

/** What each place of the trend stands for: an hour, or its first day in the period. */
export function bucketsOf(unit: Unit, { from, to, days }: Span): string[] {
  const upTo = (count: number) => [...Array(count).keys()]
  if (unit === 'hour') return upTo(24).map((hour) => String(hour).padStart(2, '0'))
  if (unit === 'day') return upTo(days).map((day) => addDays(from, day))
  if (unit === 'week') return upTo(Math.ceil(days / 7)).map((week) => addDays(from, week * 7))
  const [first, last] = [monthOf(from), monthOf(to)]
  return upTo(last - first + 1).map((month) => (month === 0 ? from : dayOfMonth(first + month)))
}

const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
const dayOfMonth = (month: number) => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`

export function addUp(cells: readonly Figures[]): Figures & { netFen: number } {
  const sum = (of: (cell: Figures) => number) => cells.reduce((so, cell) => so + of(cell), 0)
  const [paidFen, refundedFen] = [sum((cell) => cell.paidFen), sum((cell) => cell.refundedFen)]
  return {
    orders: sum(({ orders }) => orders),
    paidFen,
    discountFen: sum(({ discountFen }) => discountFen),
    refunds: sum(({ refunds }) => refunds),
    refundedFen,
    netFen: paidFen - refundedFen,
    offlineOrders: sum(({ offlineOrders }) => offlineOrders),
  }
}
