import { byExpiry } from './outbound/outbound.rules'

/** What a bag holds of a product: by batch where the books tell them apart, and what is left without. */
export type BagLot = { batch: string; expiresOn: string | null; quantity: number }
/** `bag`: of this batch from the replenisher; else from outside, since the books have no more of it in the bag. */
export type FillPart = { from: 'bag' | 'unbooked'; batch: string | null; quantity: number }

/**
 * Where pieces that were put into a slot came from. What stands in the slot is true whatever the books say, so nothing
 * is refused: the bag gives what it holds and never more, and the rest comes from outside, and is shown so. A batch
 * that is named comes from that batch alone; where none is, the bag gives what expires first, but nothing that had
 * expired on the day: that was taken out of a machine and is on its way back.
 * Takes what it gives out of `lots`, so that the next fill of the same messages finds what is left.
 */
export function partsOfFill(wanted: number, batch: string | null, lots: BagLot[], day = ''): FillPart[] {
  const mine = lots.filter((lot) => isOf(lot, batch, day)).toSorted(byExpiry)
  const parts: FillPart[] = []
  let left = wanted
  for (const lot of mine) {
    const quantity = Math.min(left, lot.quantity)
    if (quantity <= 0) continue
    lot.quantity -= quantity
    left -= quantity
    parts.push({ from: 'bag', batch: lot.batch || batch, quantity })
  }
  return left > 0 ? [...parts, { from: 'unbooked', batch, quantity: left }] : parts
}

/** Goods are not told apart by batch: whatever the machine says of one, they are the goods. */
const isOf = (lot: BagLot, batch: string | null, day: string): boolean =>
  batch === null ? lot.expiresOn === null || lot.expiresOn >= day : lot.batch === '' || lot.batch === batch

type Counted = { beforePieces?: number; afterPieces?: number }

/**
 * What the machine counted before and after, spread over the parts: each begins where the one before it ended, and what
 * does not come out shows at the last.
 */
export function countsOf(parts: readonly FillPart[], { beforePieces, afterPieces }: Counted): Counted[] {
  if (beforePieces === undefined || afterPieces === undefined) return parts.map(() => ({}))
  let before = beforePieces
  return parts.map(({ quantity }, at) => {
    const counts = { beforePieces: before, afterPieces: at === parts.length - 1 ? afterPieces : before + quantity }
    before += quantity
    return counts
  })
}
