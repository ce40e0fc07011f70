import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'

type Word = { by: number; at: Date; reason: string }

/** Notes what these products cost and are sold at from now on; where that is as it was, nothing. */
export const recordPrices = (tx: Tx, ids: readonly number[], { by, at, reason }: Word): Promise<unknown> =>
  sql`insert into product_price (product_id, cost_fen, price_fen, changed_by, changed_at, reason)
    select p.id, p.cost_fen, p.price_fen, ${by}, ${at}, ${reason} from product p
    left join lateral (select cost_fen, price_fen from product_price h where h.product_id = p.id
      order by changed_at desc, id desc limit 1) last on true
    where p.id = any(${[...ids]}::bigint[])
      and (last.cost_fen, last.price_fen) is distinct from (p.cost_fen, p.price_fen)`.execute(tx)
