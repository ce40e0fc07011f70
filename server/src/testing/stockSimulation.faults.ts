import { sql } from 'kysely'
import type { Reader } from '../kernel/context'

type Network = { merchantId: number; medicineId: number }

/**
 * For each product bought + found outside the books = in places + sold + returned + scrapped, to the piece, and what
 * was bought went to a warehouse; each batch where places tell them apart; the value of stores and bags to the fen, by
 * its own entries and by the ledger of what was bought and lost.
 */
export async function stockFaults(db: Reader, { merchantId, medicineId }: Network): Promise<string[]> {
  const found = await sql<{ what: string }>`
    with flow as (
      select v.product_id,
        sum(case when f.kind in ('supplier', 'unbooked') then v.quantity
          when t.kind in ('supplier', 'unbooked') then -v.quantity else 0 end) as come,
        sum(case when t.kind in ('customer', 'scrap') then v.quantity when f.kind in ('customer', 'scrap')
          then -v.quantity else 0 end) as gone
      from stock_move v join place f on f.id = v.from_place_id join place t on t.id = v.to_place_id
      where v.merchant_id = ${merchantId} group by 1),
    kept as (
      select v.place_id, v.product_id, v.pieces, v.value_fen, c.pieces as moved, c.fen from stock_value v
      left join lateral (select sum(quantity) as pieces, sum(cost_fen) as fen from stock_cost c
        where c.place_id = v.place_id and c.product_id = v.product_id) c on true)
    select 'product ' || w.product_id || ': ' || w.come || ' came, ' || w.gone || ' gone' as what from flow w
    where w.come <> w.gone +
      (select coalesce(sum(l.quantity), 0) from stock_level l where l.product_id = w.product_id)
    union all
    select v.cause || ' between a supplier and a ' || o.kind from stock_move v
    join place p on p.id in (v.from_place_id, v.to_place_id) and p.kind = 'supplier'
    join place o on o.id in (v.from_place_id, v.to_place_id) and o.kind not in ('supplier', 'warehouse')
    where v.merchant_id = ${merchantId}
    union all
    select 'level ' || l.place_id || '/' || l.product_id || ' is ' || l.quantity || ', moved ' || m.pieces
    from stock_level l cross join lateral (
      select coalesce(sum(case when v.to_place_id = l.place_id then v.quantity else -v.quantity end), 0) as pieces
      from stock_move v where l.place_id in (v.from_place_id, v.to_place_id) and v.product_id = l.product_id) m
    where l.quantity <> m.pieces
    union all
    select 'value ' || k.place_id || '/' || k.product_id || ': ' || k.pieces || ' of ' || l.quantity || ' pieces'
    from kept k join stock_level l using (place_id, product_id) where k.pieces <> l.quantity
    union all
    select 'value ' || place_id || '/' || product_id || ': ' || value_fen || ' fen, entries say ' || coalesce(fen, 0)
    from kept where value_fen <> coalesce(fen, 0) or pieces <> coalesce(moved, 0) or (pieces = 0 and value_fen <> 0)
    union all
    select 'batch ' || m.batch || ' at ' || m.place_id || ' is ' || b.quantity || ', moved ' || m.moved from (
      select p.id as place_id, v.batch,
        sum(case when v.to_place_id = p.id then v.quantity else -v.quantity end) as moved
      from stock_move v join place p on p.id in (v.from_place_id, v.to_place_id)
        and p.kind in ('warehouse', 'replenisher', 'transit')
      where v.batch is not null and v.product_id = ${medicineId} group by 1, 2) m
    join batch_level b on b.place_id = m.place_id and b.product_id = ${medicineId} and b.batch = m.batch
    where b.quantity <> m.moved or b.quantity < 0
    union all
    select 'layers of ' || l.place_id || ' are not ' || l.quantity
    from stock_level l join place p on p.id = l.place_id and p.kind = 'slot'
    where l.product_id = ${medicineId} and greatest(l.quantity, 0) <> (
      select coalesce(sum(y.quantity), 0) from slot_layer y
      where y.place_id = l.place_id and y.product_id = l.product_id)
    union all
    select 'ledger has lost ' || coalesce(d.fen, 0) || ', write-offs ' || coalesce(w.fen, 0) from (
      select sum(balance_fen) as fen from ledger_account where merchant_id = ${merchantId} and kind = 'loss'
        and key = 'written_off_stock') d
    cross join (select sum(cost_fen) as fen from write_off where merchant_id = ${merchantId} and state = 'done') w
    where coalesce(d.fen, 0) <> coalesce(w.fen, 0)
    union all
    select 'supplier ' || p.supplier_id || ' is owed ' || p.fen || ', the ledger says ' || coalesce(-a.balance_fen, 0)
    from (select supplier_id, sum(open_fen) as fen from payable where merchant_id = ${merchantId} group by 1) p
    left join ledger_account a on a.kind = 'supplier_due' and a.key = p.supplier_id::text
      and a.merchant_id = ${merchantId}
    where p.fen <> coalesce(-a.balance_fen, 0)`.execute(db)
  return found.rows.map(({ what }) => what)
}
