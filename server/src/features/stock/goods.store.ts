import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'

export type Wanted = { productId: number; batch: string; quantity: number }
export type Goods = Wanted & {
  name: string
  /** Of a medicine; null for goods. */
  storage: string | null
  there: number
}

/**
 * What is asked for of a place, of its merchant's line, with what lies there of it; held, in one order, until the
 * transaction ends.
 */
export async function holdGoods(tx: Tx, placeId: number, wanted: readonly Wanted[]): Promise<Goods[]> {
  const given = rows('w', wanted, { productId: 'bigint', batch: 'text', quantity: 'int' })
  const ids = [...new Set(wanted.map(({ productId }) => productId))]
  await sql`select from stock_level l where l.place_id = ${placeId} and l.product_id = any(${ids}::bigint[])
    order by l.product_id for update of l`.execute(tx)
  const found = await sql<Goods>`
    select w.product_id as "productId", w.batch, w.quantity, p.name,
      case when p.kind = 'medicine' then coalesce(m.storage, 'room') end as storage,
      case when p.kind = 'medicine' then coalesce(b.quantity, 0) else coalesce(l.quantity, 0) end as there
    from ${given} join place o on o.id = ${placeId} join merchant own on own.id = o.merchant_id
    join product p on p.id = w.product_id and p.merchant_id = any(own.path)
    left join medicine m on m.product_id = p.id
    left join stock_level l on l.place_id = ${placeId} and l.product_id = p.id
    left join batch_level b on b.place_id = ${placeId} and b.product_id = p.id and b.batch = w.batch`.execute(tx)
  if (found.rows.length < wanted.length) refuse('request.notFound')
  return found.rows
}

/** @throws Refusal warehouse.less where fewer lie there than are asked for */
export function refuseLess(goods: readonly Goods[]): void {
  const short = goods.find(({ quantity, there }) => quantity > there)
  if (short) refuse('warehouse.less', { name: short.name, left: short.there, wanted: short.quantity })
}
