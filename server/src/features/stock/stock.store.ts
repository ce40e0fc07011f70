import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { addOutsidePlaces, type OutsidePlace } from '../fleet/public'

/**
 * Has a machine told that a slot sells again of which nothing holds it any more, param `placeIds` parted by commas; the
 * work is device's, which is built on this.
 */
export const FREE_SLOTS = 'stock.freeSlots'

export type Move = {
  merchantId: number
  movedAt: Date
  productId: number
  quantity: number
  fromPlaceId: number
  toPlaceId: number
  cause: 'vend' | 'fill' | 'remove' | 'count' | 'purchase' | 'scrap' | 'return' | 'test' | 'free' | 'transfer'
  reference: string
  batch: string | null
  /** Who did it, where it was a person of ours. */
  userId?: number | null
  /** What all of it cost, where it comes from outside and somebody knows. */
  costFen?: number | null
  /** Of a fill, as the machine counts it: what stood there, what stands there now, and who filled. */
  beforePieces?: number
  afterPieces?: number
  replenisher?: string
}

/** Levels follow in the same statement, by trigger: stock at a place is the sum of its moves. */
export async function recordMoves(tx: Tx, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return
  await sql`insert into stock_move
    (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause, reference, batch, user_id,
      cost_fen, before_pieces, after_pieces, replenisher)
    select * from ${rows('m', moves, {
      merchantId: 'bigint',
      movedAt: 'timestamptz',
      productId: 'bigint',
      quantity: 'int',
      fromPlaceId: 'bigint',
      toPlaceId: 'bigint',
      cause: 'text',
      reference: 'text',
      batch: 'text',
      userId: 'bigint',
      costFen: 'bigint',
      beforePieces: 'int',
      afterPieces: 'int',
      replenisher: 'text',
    })}`.execute(tx)
}

/** Where goods come from and go to outside: one place of a kind a merchant, made when first needed. */
export async function outsidePlaces(
  tx: Tx,
  kind: OutsidePlace,
  merchantIds: readonly number[],
): Promise<Map<number, number>> {
  const wanted = [...new Set(merchantIds)].map((merchantId) => ({ merchantId }))
  const find = async () => {
    const found = await sql<{ merchant_id: number; id: number }>`select p.merchant_id, p.id
      from ${rows('w', wanted, { merchantId: 'bigint' })}
      join place p on p.merchant_id = w.merchant_id and p.kind = ${sql.lit(kind)}`.execute(tx)
    return new Map(found.rows.map((row) => [row.merchant_id, row.id]))
  }
  const known = await find()
  if (known.size === wanted.length) return known
  await addOutsidePlaces(
    tx,
    kind,
    wanted.map(({ merchantId }) => merchantId),
  )
  return find()
}

/**
 * A slot that got another product, or was taken off its machine, wants for what it held no longer. Called after each
 * change of what slots should hold.
 */
export async function endStockOuts(tx: Tx, changed: readonly { placeId: number; at: Date }[]): Promise<void> {
  if (changed.length === 0) return
  await sql`update stock_out o set ended_at = greatest(o.began_at, c.at), ended_by = 'planogram'
    from ${rows('c', changed, { placeId: 'bigint', at: 'timestamptz' })} join slot s on s.place_id = c.place_id
    where o.place_id = c.place_id and o.ended_at is null
      and (s.product_id is distinct from o.product_id or s.machine_id is null)`.execute(tx)
}
