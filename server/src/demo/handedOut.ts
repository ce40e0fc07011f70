import { sql } from 'kysely'
import { rows } from '../db/rows'
import type { Tx } from '../kernel/context'

type HandedOutPiece = {
  orderId: number
  index: number
  merchantId: number
  productId: number
  placeId: number
  /** ISO. */
  at: string
}

/** Pieces beside the planned history: each had been put in the same morning, so that the slots stand as planned. */
export async function handOut(tx: Tx, pieces: readonly HandedOutPiece[]): Promise<void> {
  await sql`insert into stock_move
      (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause, reference)
    select p.merchant_id, p.at + moved.after, p.product_id, 1,
      case moved.cause when 'fill' then supplier.id else p.place_id end,
      case moved.cause when 'fill' then p.place_id else customer.id end, moved.cause,
      case moved.cause when 'fill' then 'top-up/' || p.order_id else 'order/' || p.order_id || '/' || p.index end
    from ${rows('p', pieces, {
      orderId: 'bigint',
      index: 'int',
      merchantId: 'bigint',
      productId: 'bigint',
      placeId: 'bigint',
      at: 'timestamptz',
    })}
    join place supplier on supplier.merchant_id = p.merchant_id and supplier.kind = 'supplier'
    join place customer on customer.merchant_id = p.merchant_id and customer.kind = 'customer'
    cross join (values ('fill', interval '-90 minutes'), ('vend', interval '17 seconds')) moved(cause, after)
    order by 2`.execute(tx)
}
