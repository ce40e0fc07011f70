/** What should stand in a slot (desired) against what the machine said of itself (reported); device protocol, 3.4. */
export const syncStates = ['in_sync', 'pending', 'differs', 'unknown'] as const
export type SyncState = (typeof syncStates)[number]

/** What a snapshot reports of a plan; the rest of a slot's plan is known here alone. */
export type Compared = { product: string | null; priceFen: number | null; capacity: number; isLocked: boolean }
export type Reported = { product: string | null; priceFen: number | null; capacity: number; lock?: boolean | undefined }

export const comparedFields = ['product', 'priceFen', 'capacity', 'isLocked'] as const
export type Difference = {
  field: (typeof comparedFields)[number]
  desired: string | number | boolean | null
  reported: string | number | boolean | null
}

/** Field by field. A machine that says nothing of a lock, or has no product, is not held to it. */
export function differencesOf(desired: Compared, reported: Reported): Difference[] {
  const isBare = desired.product === null && reported.product === null
  const said = { ...reported, isLocked: reported.lock ?? desired.isLocked }
  return comparedFields.flatMap((field) => {
    // Nobody sells from a slot without a product, so its price and its size are nobody's concern.
    if (isBare && (field === 'priceFen' || field === 'capacity')) return []
    return desired[field] === said[field] ? [] : [{ field, desired: desired[field], reported: said[field] }]
  })
}

/**
 * @param reported undefined where the machine never spoke of the slot: unknown, never taken for in sync
 * @param isPushed whether a push that covers the slot is on its way, or done and not yet seen in a snapshot
 */
export function syncOf(
  desired: Compared,
  reported: Reported | undefined,
  isPushed: boolean,
): { state: SyncState; differences: Difference[] } {
  if (!reported) return { state: isPushed ? 'pending' : 'unknown', differences: [] }
  const differences = differencesOf(desired, reported)
  if (differences.length === 0) return { state: 'in_sync', differences }
  return { state: isPushed ? 'pending' : 'differs', differences }
}
