import type { BatchState } from '@aisle/contract/pharmacy/states'

/** A batch in a slot, by the books; without a row of its own nobody knows more of it than its number. */
export type SlotBatch = { quantity: number; state: BatchState | null; expiresOn: string | null }

/**
 * Whether what comes next out of a slot may be sold (domain rules, section 3: an expired, recalled or locked batch
 * can't be sold at all). A slot can't choose: while one piece that must not come out may stand in it, none is sold.
 * What expires first has gone first, where vends did not name their batch.
 */
export function isBatchForSale(batches: readonly SlotBatch[], stock: number, day: string): boolean {
  const byExpiry = [...batches].sort((a, b) => (a.expiresOn ?? '9').localeCompare(b.expiresOn ?? '9'))
  let gone = Math.max(0, byExpiry.reduce((sum, { quantity }) => sum + quantity, 0) - Math.max(0, stock))
  return byExpiry.every((batch) => {
    const taken = Math.min(gone, batch.quantity)
    gone -= taken
    return batch.quantity - taken === 0 || isSaleable(batch, day)
  })
}

/** Good to the end of the day that the pack says. */
export const isSaleable = ({ state, expiresOn }: Omit<SlotBatch, 'quantity'>, day: string): boolean =>
  (state === null || state === 'normal') && (expiresOn === null || expiresOn >= day)
