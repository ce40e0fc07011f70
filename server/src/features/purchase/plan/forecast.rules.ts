import { weekdayOf } from '../../../kernel/businessDay'
import { must } from '../../../kernel/must'

/** One number a day of the week, Monday first. */
export type Week = readonly number[]

/** What a machine holds of a product, and what it sold of it while it had any. */
export type Held = {
  machineId: number
  productId: number
  slots: number
  capacity: number
  there: number
  /** Pieces sold, the newer the heavier. */
  sold: number
  /** Days in which it could sell, weighed as the sales are, a busy day counting for more than one. */
  exposure: number
}

/** So many days of what other machines sell stand beside a machine's own sales, which are few in the beginning. */
const BORROWED_DAYS = 1

/**
 * Pieces that a machine sells on a usual day of its own, while it has any; null where neither it nor another ever had.
 * A day on which the slot was empty says nothing about what people wanted: counted as a day without sales it makes the
 * forecast fall, the slot is filled less, and is empty sooner (demand that is censored by stock, as in Nahmias 1994).
 */
export function rateOf({ sold, exposure }: Pick<Held, 'sold' | 'exposure'>, usual: number | null): number | null {
  if (usual === null) return exposure > 0 ? sold / exposure : null
  return (sold + BORROWED_DAYS * usual) / (exposure + BORROWED_DAYS)
}

/** What machines sell of a product on a usual day, those that sold little counting little; null where none had any. */
export function usualOf(held: readonly Pick<Held, 'sold' | 'exposure'>[]): number | null {
  const exposure = held.reduce((sum, one) => sum + one.exposure, 0)
  return exposure > 0 ? held.reduce((sum, one) => sum + one.sold, 0) / exposure : null
}

/** What a week comes to over so many days from a day on, itself included. */
export function sumOver(week: Week, from: string, days: number): number {
  const whole = Math.floor(days / 7)
  const first = weekdayOf(from) - 1
  let sum = whole * week.reduce((all, one) => all + one, 0)
  for (let at = 0; at < days % 7; at += 1) sum += must(week[(first + at) % 7], 'a weekday')
  return sum
}

/** Above it the Poisson distribution is told by the normal one, to the piece. */
const MOST_SUMMED = 100
const Z90 = 1.2816

/** The least number of pieces that nine out of ten such times do not exceed, where people come by chance (Poisson). */
export function ninetieth(mean: number): number {
  if (mean <= 0) return 0
  if (mean > MOST_SUMMED) return Math.ceil(mean + Z90 * Math.sqrt(mean))
  let chance = Math.exp(-mean)
  let below = chance
  let pieces = 0
  while (below < 0.9) {
    pieces += 1
    chance *= mean / pieces
    below += chance
  }
  return pieces
}

/**
 * What slots should hold so that they sell until somebody comes. What nobody ever had is filled up once, to see whether
 * it sells.
 */
export const targetOf = (capacity: number, rate: number | null, coverDays: number): number =>
  rate === null ? capacity : Math.min(capacity, ninetieth(rate * coverDays))
