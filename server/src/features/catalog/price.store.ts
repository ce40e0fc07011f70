import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'

type Word = { by: number; at: Date; reason: string }

/** Notes what these products cost and are sold at from now on; where that is as it was, nothing. */
export const recordPrices = (tx: Tx, ids: readonly number[], { by, at, reason }: Word): Promise<unknown> =>
  sql`insert into product_price (product_id, cost_fen, price_fen, changed_by, changed_at, reason)
    select p.id, p.cost_fen, p.price_fen, ${by}, ${at}, ${reason} from product p
    left join lateral (select cost_fen, price_fen from product_price h where h.product_id = p.id
      order by changed_at desc, id desc limit 1) last on true
    where p.id = any(${[...ids]}::bigint[])
      and (last.cost_fen, last.price_fen) is distinct from (p.cost_fen, p.price_fen)`.execute(tx)

export type ProductPrice = { productId: number; fromFen: number; toFen: number }

/** Only products that still cost that much, each change with its story. @returns those that were changed */
export async function setProductPrices(tx: Tx, prices: readonly ProductPrice[], word: Word): Promise<number[]> {
  const columns = { productId: 'bigint', fromFen: 'bigint', toFen: 'bigint' } as const
  const changed = await sql<{ id: number }>`update product p set price_fen = w.to_fen, version = p.version + 1
    from ${rows('w', prices, columns)} where p.id = w.product_id and p.price_fen = w.from_fen returning p.id`.execute(
    tx,
  )
  const ids = changed.rows.map(({ id }) => id)
  await recordPrices(tx, ids, word)
  return ids
}

type Priced = { at: string; costFen: number; priceFen: number; byName: string | null; reason: string }

/** Newest first. */
export async function pricesOf(db: Reader, id: number): Promise<Priced[]> {
  const found = await sql<Priced>`
    select to_json(h.changed_at) #>> '{}' as at, h.cost_fen as "costFen", h.price_fen as "priceFen",
      u.display_name as "byName", h.reason
    from product_price h left join app_user u on u.id = h.changed_by
    where h.product_id = ${id} order by h.changed_at desc, h.id desc limit 50`.execute(db)
  return found.rows
}
