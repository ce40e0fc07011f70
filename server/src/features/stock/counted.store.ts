import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'

type Kept = { placeId: number; productId: number }

/** What was counted where: the books of that place stand by it, and what was before is heard as counted already. */
export type Counted = Kept & {
  merchantId: number
  scrapPlaceId: number
  at: Date
  reference: string
}

/**
 * Holds the levels of these, in the order in which everybody does: whoever moves goods there waits until this count is
 * known. @returns when each was counted last, by place and product
 */
export async function holdCounted(tx: Tx, places: readonly Kept[]): Promise<Map<string, Date>> {
  const given = rows('w', places, { placeId: 'bigint', productId: 'bigint' })
  await sql`insert into stock_level (place_id, product_id, quantity, may_go_negative)
    select distinct w.place_id, w.product_id, 0, p.kind = 'slot' from ${given} join place p on p.id = w.place_id
    order by 1, 2 on conflict do nothing`.execute(tx)
  await sql`select from stock_level where (place_id, product_id) in (select w.place_id, w.product_id from ${given})
    order by place_id, product_id for update`.execute(tx)
  const found = await sql<Kept & { at: Date }>`
    select c.place_id as "placeId", c.product_id as "productId", c.counted_at as at from stock_counted c
    where (c.place_id, c.product_id) in (select w.place_id, w.product_id from ${given})`.execute(tx)
  return new Map(found.rows.map(({ placeId, productId, at }) => [`${placeId}/${productId}`, at]))
}

/** The newest count stands. */
export async function noteCounted(tx: Tx, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return
  const given = rows('w', counted, {
    placeId: 'bigint',
    productId: 'bigint',
    merchantId: 'bigint',
    scrapPlaceId: 'bigint',
    at: 'timestamptz',
    reference: 'text',
  })
  await sql`insert into stock_counted as c (place_id, product_id, counted_at, merchant_id, scrap_place_id, reference)
    select w.place_id, w.product_id, w.at, w.merchant_id, w.scrap_place_id, w.reference from ${given}
    on conflict (place_id, product_id) do update set counted_at = excluded.counted_at,
      merchant_id = excluded.merchant_id, scrap_place_id = excluded.scrap_place_id, reference = excluded.reference
      where excluded.counted_at > c.counted_at`.execute(tx)
}
