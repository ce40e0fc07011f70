import { sql } from 'kysely'

export type StockReport = { reportedStock: number | null; movedSince: number }

/** Columns of `joinStockReport`, for `stockDrift`. */
export const stockReportColumns = sql`said.stock as "reportedStock", coalesce(since.pieces, 0)::int as "movedSince"`

/**
 * To a query over slots `s` with their products `p`: what the machine's last snapshot says of the same product in the
 * slot, and how many pieces came in (or out, below zero) since by what machines themselves tell.
 */
export const joinStockReport = sql`
  left join machine_state heard on heard.machine_id = s.machine_id
  left join lateral (
    select (r.slot ->> 'stock')::int as stock from jsonb_array_elements(heard.snapshot -> 'slots') r(slot)
    where r.slot ->> 'code' = s.code and r.slot ->> 'product' = p.code limit 1
  ) said on true
  left join lateral (
    select sum(m.change) as pieces from (
      select moved_at, product_id, cause, quantity as change from stock_move where to_place_id = s.place_id
      union all
      select moved_at, product_id, cause, -quantity from stock_move where from_place_id = s.place_id
    ) m where m.moved_at > heard.snapshot_at and m.product_id = s.product_id and m.cause not in ('count', 'remove')
  ) since on true`
