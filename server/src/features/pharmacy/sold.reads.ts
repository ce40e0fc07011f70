import type { MedicineClass } from '@aisle/contract/catalog/product'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader } from '../../kernel/context'
import { isBatchForSale, isSaleable, type SlotBatch } from './batch.rules'
import { contentsKey, contentsOf } from './batch.store'
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
  const contents = await contentsOf(
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
    const known = contents.get(contentsKey(piece.placeId, piece.productId))
    const isGood = piece.batch === null && known ? isBatchForSale(known.batches, known.stock, piece.businessDay) : true
    return isGood && !isStopped(piece) ? null : 'batchNotForSale'
  }
}

type Named = Pick<SoldPiece, 'productId' | 'batch' | 'businessDay'>

/** Which pieces are of a batch that is named and expired, locked or recalled. */
export async function stoppedBatches(db: Reader, pieces: readonly Named[]): Promise<(piece: Named) => boolean> {
  const named = pieces.flatMap(({ productId, batch }) => (batch === null ? [] : [{ productId, number: batch }]))
  if (named.length === 0) return () => false
  const found = await sql<Omit<SlotBatch, 'quantity'> & { productId: number; number: string }>`
    select b.product_id as "productId", b.number, b.state, b.expires_on::text as "expiresOn" from medicine_batch b
    where (b.product_id, b.number) in (select * from ${rows('n', named, { productId: 'bigint', number: 'text' })})
  `.execute(db)
  const known = new Map(found.rows.map((batch) => [`${batch.productId}/${batch.number}`, batch]))
  return ({ productId, batch, businessDay }) => {
    const stands = known.get(`${productId}/${batch}`)
    return stands !== undefined && !isSaleable(stands, businessDay)
  }
}
