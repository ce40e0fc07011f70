import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import type { SlotBatch } from './batch.rules'

export type SlotContents = { stock: number; batches: SlotBatch[] }

export const contentsKey = (placeId: number, productId: number): string => `${placeId}/${productId}`

/** What the books say of the batches in these places; a place that holds none is missing. */
export async function contentsOf(db: Reader, placeIds: readonly number[]): Promise<Map<string, SlotContents>> {
  const found = await sql<SlotBatch & { placeId: number; productId: number; stock: number }>`
    select b.place_id as "placeId", b.product_id as "productId", coalesce(l.quantity, 0) as stock, b.quantity, m.state,
      m.expires_on::text as "expiresOn"
    from batch_level b
    left join stock_level l on l.place_id = b.place_id and l.product_id = b.product_id
    left join medicine_batch m on m.product_id = b.product_id and m.number = b.batch
    where b.place_id = any(${[...new Set(placeIds)]}::bigint[]) and b.quantity > 0`.execute(db)
  const contents = new Map<string, SlotContents>()
  for (const { placeId, productId, stock, ...batch } of found.rows) {
    const key = contentsKey(placeId, productId)
    const known = contents.get(key) ?? { stock, batches: [] }
    known.batches.push(batch)
    contents.set(key, known)
  }
  return contents
}
