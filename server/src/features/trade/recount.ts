import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'

/**
 * What the books say against what the facts say: each line that comes back is a contradiction. Used by the checks of
 * `npm run verify` and by every test that crashes, repeats or reorders something.
 */
export async function contradictions(db: Reader): Promise<string[]> {
  const found = await sql<{ what: string }>`
    select 'ledger sums to ' || sum(amount_fen) as what from ledger_entry having coalesce(sum(amount_fen), 0) <> 0
    union all
    select 'account ' || a.id || ' holds ' || a.balance_fen || ', entries say ' || coalesce(e.sum, 0)
    from ledger_account a
    left join (select account_id, sum(amount_fen) as sum from ledger_entry group by 1) e on e.account_id = a.id
    where a.balance_fen <> coalesce(e.sum, 0)
    union all
    select 'place ' || coalesce(l.place_id, m.place_id) || ' holds ' || coalesce(l.quantity, 0) || ' of product '
      || coalesce(l.product_id, m.product_id) || ', moves say ' || coalesce(m.sum, 0)
    from stock_level l full join (
      select place_id, product_id, sum(change) as sum from (
        select to_place_id as place_id, product_id, quantity as change from stock_move
        union all select from_place_id, product_id, -quantity from stock_move) both_sides
      join place on place.id = place_id and place.holds group by 1, 2) m using (place_id, product_id)
    where coalesce(l.quantity, 0) <> coalesce(m.sum, 0)
    union all
    select 'total of merchant ' || coalesce(r.merchant_id, o.merchant_id) || ' is not its orders' from rollup_total r
    full join (select merchant_id, count(*) as orders, sum(paid_fen) as paid from orders
      where paid_at is not null group by 1) o using (merchant_id)
    where coalesce(r.orders, 0) <> coalesce(o.orders, 0) or coalesce(r.paid_fen, 0) <> coalesce(o.paid, 0)
    union all
    select 'day ' || coalesce(r.business_day, o.business_day) || ' ' || coalesce(r.method, o.method)
      || ' is not its orders'
    from rollup_day r full join (
      select business_day, merchant_id, method, count(*) as orders, sum(paid_fen) as paid,
        count(*) filter (where not is_offline) as online from orders where paid_at is not null group by 1, 2, 3) o
      using (business_day, merchant_id, method)
    where coalesce(r.orders, 0) <> coalesce(o.orders, 0) or coalesce(r.paid_fen, 0) <> coalesce(o.paid, 0)
      or coalesce(r.online_orders, 0) <> coalesce(o.online, 0)
    union all
    select 'order ' || o.order_no || ' has sale transfers ' || count(t.id) from orders o
    left join ledger_transfer t on t.kind = 'sale' and t.reference = o.id::text
    group by o.order_no, o.paid_at having count(t.id) > 1 or (o.paid_at is null and count(t.id) > 0)
    union all
    select 'item ' || i.order_id || '/' || i.index || ' dispensed ' || count(m.id) || ' times' from order_item i
    left join stock_move m on m.cause = 'vend' and m.reference = 'order/' || i.order_id || '/' || i.index
    group by i.order_id, i.index, i.state having count(m.id) <> case when i.state = 'dispensed' then 1 else 0 end
    limit 100`.execute(db)
  return found.rows.map((row) => row.what)
}
