import type { MedicineClass } from '@aisle/contract/catalog/product'
import type { Reader } from '../../kernel/context'
import { queueKey, queuesOf, reachable, stoppedBatches } from '../medicine/public'
import { groupsOf } from './limit.store'

export type SoldPiece = {
  placeId: number
  productId: number
  medicineClass: MedicineClass | null
  /** As the machine names it; else what stands in the slot by the books. */
  batch: string | null
  businessDay: string
}

/**
 * Why pieces that a machine sold by itself, on no prescription, should not have been sold: the rules of an order that
 * asks first. One answer a piece; of goods that are no medicine nothing is asked.
 */
export async function checkSold(
  db: Reader,
  sold: readonly SoldPiece[],
): Promise<(piece: SoldPiece) => 'prescriptionMissing' | 'batchNotForSale' | null> {
  const medicines = sold.filter(({ medicineClass }) => medicineClass !== null)
  if (medicines.length === 0) return () => null
  const isStopped = await stoppedBatches(db, medicines)
  const queues = await queuesOf(
    db,
    medicines.flatMap(({ batch, placeId }) => (batch === null ? [placeId] : [])),
  )
  const groups = await groupsOf(
    db,
    medicines.map(({ productId }) => productId),
  )
  return (piece) => {
    if (piece.medicineClass === null) return null
    if (piece.medicineClass === 'rx' || groups.has(piece.productId)) return 'prescriptionMissing'
    const queue = queues.get(queueKey(piece.placeId, piece.productId))
    const isGood = piece.batch !== null || !queue || reachable(queue, piece.businessDay) > 0
    return isGood && !isStopped(piece) ? null : 'batchNotForSale'
  }
}
