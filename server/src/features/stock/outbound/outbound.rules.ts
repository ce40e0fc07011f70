import { type BatchFacts, sellable } from '@aisle/contract/medicine/batchState'

/** Pieces of a batch at a place that nobody has picked; of what has none, all of it. */
export type FreeLot = BatchFacts & { batch: string; free: number }
type Day = { day: string; marginDays: number }

/** Whether a batch may leave for a machine: what could not be sold there today stays. */
export const mayLeave = (lot: BatchFacts, { day, marginDays }: Day): boolean => sellable(lot, day, marginDays)

/** Which batches so many pieces are taken from, first expiry first; fewer where no more may leave. */
export function pickByExpiry(
  lots: readonly FreeLot[],
  wanted: number,
  day: Day,
): { batch: string; quantity: number }[] {
  const good = lots.filter((lot) => lot.free > 0 && mayLeave(lot, day)).toSorted(byExpiry)
  const picks: { batch: string; quantity: number }[] = []
  let left = wanted
  for (const { batch, free } of good) {
    const quantity = Math.min(left, free)
    if (quantity > 0) picks.push({ batch, quantity })
    left -= quantity
  }
  return picks
}

/** Of which nobody knows the expiry goes last. */
export const byExpiry = (a: Expiring, b: Expiring): number =>
  (a.expiresOn ?? '9').localeCompare(b.expiresOn ?? '9') || a.batch.localeCompare(b.batch)
type Expiring = { expiresOn: string | null; batch: string }

type Line = { productId: number; quantity: number }

export const namedTwice = (lines: readonly { productId: number; batch?: string }[]): boolean =>
  new Set(lines.map(({ productId, batch }) => `${productId}/${batch ?? ''}`)).size < lines.length

/** Picked is what was asked for, each batch once, and no more than was wanted. */
export function arePicksOf(wanted: readonly Line[], picks: readonly (Line & { batch: string })[]): boolean {
  if (namedTwice(picks)) return false
  const left = new Map(wanted.map(({ productId, quantity }) => [productId, quantity]))
  for (const { productId, quantity } of picks) {
    const rest = (left.get(productId) ?? 0) - quantity
    if (rest < 0) return false
    left.set(productId, rest)
  }
  return true
}
