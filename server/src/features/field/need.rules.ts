import type { NeedReason } from '@aisle/contract/field/replenishmentOrder'

export type SlotFacts = {
  there: number
  /** Of those, what may not be sold any more before somebody comes again. */
  takeOut: number
  capacity: number
  alarm: number
  /** Pieces a day while it is not empty. */
  perDay: number
  priceFen: number
  /** It waits for another product than it holds. */
  isNewProduct: boolean
}
export type Need = { bring: number; reason: NeedReason; stakeFen: number }

/**
 * What a slot needs so that it sells until the next visit; null where it can wait. A slot that is visited is filled up,
 * since the way there costs more than the goods. At stake is what would not be sold until then if nobody came.
 */
export function needOf(slot: SlotFacts, coverDays: number): Need | null {
  const good = Math.max(0, slot.there - slot.takeOut)
  const bring = Math.max(0, slot.capacity - good)
  const reason = reasonOf(slot, good, coverDays)
  if (bring === 0 || reason === null) return null
  return { bring, reason, stakeFen: Math.round(Math.max(0, slot.perDay * coverDays - good) * slot.priceFen) }
}

function reasonOf(slot: SlotFacts, good: number, coverDays: number): NeedReason | null {
  if (slot.isNewProduct) return 'newProduct'
  if (slot.there <= 0) return 'empty'
  if (slot.takeOut > 0) return 'expiring'
  if (good <= slot.alarm) return 'belowAlarm'
  return slot.perDay * coverDays > good ? 'sellsOut' : null
}

type Pieces = { productId: number; quantity: number }

/** What is wanted beyond what is carried already. */
export const lackingOf = (wanted: readonly Pieces[], carried: ReadonlyMap<number, number>): Pieces[] =>
  wanted
    .map(({ productId, quantity }) => ({ productId, quantity: quantity - (carried.get(productId) ?? 0) }))
    .filter(({ quantity }) => quantity > 0)

const DAY_MS = 86_400_000
const LEAST_DAYS = 1

/**
 * Pieces a hundred days, by the time in which the slot had any: what was sold out sold nothing for another reason
 * than that nobody wanted it.
 */
export function perHundredDays(sold: number, { sinceMs, outMs }: { sinceMs: number; outMs: number }): number {
  const days = Math.max(LEAST_DAYS, (sinceMs - outMs) / DAY_MS)
  return Math.round((sold / days) * 100)
}
