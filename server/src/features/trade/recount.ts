import { refundState } from '@aisle/contract/refund/states'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { wrongFigures } from './rollup.recount'
import { statesIn } from '../../kernel/states'

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
    select 'order ' || o.order_no || ' has sale transfers ' || count(t.id) from orders o
    left join ledger_transfer t on t.kind = 'sale' and t.reference = o.id::text
    group by o.order_no, o.paid_at having count(t.id) > 1 or (o.paid_at is null and count(t.id) > 0)
    union all
    select 'order ' || o.order_no || ' holds ' || o.held_fen || ' and went back ' || o.refunded_fen || ', refunds say '
      || coalesce(r.held, 0) || ' and ' || coalesce(r.paid, 0) from orders o
    left join (select order_id, sum(amount_fen) filter (where state <> 'rejected') as held,
      sum(amount_fen) filter (where state in ${statesIn(refundState, 'back')}) as paid from refund group by 1) r
      on r.order_id = o.id
    where o.held_fen <> coalesce(r.held, 0) or o.refunded_fen <> coalesce(r.paid, 0)
    union all
    select 'refund ' || r.refund_no || ' has transfers ' || count(t.id) from refund r
    left join ledger_transfer t on t.kind = 'refund' and t.reference = r.id::text
    group by r.id having count(t.id) > case when r.state in ${statesIn(refundState, 'back')} then 1 else 0 end
    union all
    select 'item ' || i.order_id || '/' || i.index || ' dispensed ' || count(m.id) || ' times' from order_item i
    left join stock_move m on m.cause = 'vend' and m.reference = 'order/' || i.order_id || '/' || i.index
    group by i.order_id, i.index, i.state having count(m.id) <> case when i.state = 'dispensed' then 1 else 0 end
    limit 100`.execute(db)
  return [...found.rows.map((row) => row.what), ...(await wrongFigures(db))]
}
