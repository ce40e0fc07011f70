import { splitLineState } from '@aisle/contract/settlement/splitStates'
import { differenceState } from '@aisle/contract/settlement/states'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { statesIn } from '../../kernel/states'

/**
 * What the settlement says against the ledger: each line that comes back is a contradiction. Beside `contradictions`,
 * in the simulation and in `npm run verify`.
 */
export async function bookFaults(db: Reader): Promise<string[]> {
  const found = await sql<{ what: string }>`
    select 'settlement ' || s.id || ' moved ' || coalesce(sum(e.amount_fen) filter (where a.kind = 'available'), 0)
      || ' instead of ' || -s.net_fen as what
    from settlement s left join ledger_transfer t on t.kind = 'settlement' and t.reference = s.id::text
    left join ledger_entry e on e.merchant_id = t.merchant_id and e.posted_at = t.posted_at and e.transfer_id = t.id
    left join ledger_account a on a.id = e.account_id
    group by s.id having coalesce(sum(e.amount_fen) filter (where a.kind = 'available'), 0) <> -s.net_fen
    union all
    select 'settlement ' || s.id || ' is not its orders' from settlement s
    left join settled_item i on i.settlement_id = s.id and i.kind = 'order'
    group by s.id having coalesce(sum(i.amount_fen), 0) <> s.gross_fen or count(i.reference) <> s.orders
    union all
    select 'order ' || o.order_no || ' was paid back ' || o.refunded_fen || ' of ' || o.paid_fen from orders o
    where o.refunded_fen > o.paid_fen or o.held_fen > o.paid_fen
    union all
    select 'order ' || n.order_no || ' is settled and has no sale in the ledger' from settled_item i
    join order_number n on n.order_id = i.reference
    where i.kind = 'order' and not exists (
      select 1 from ledger_transfer t where t.kind = 'sale' and t.reference = i.reference::text)
    union all
    select 'merchant ' || coalesce(p.merchant_id, d.merchant_id) || ' has pending ' || coalesce(p.fen, 0)
      || ', facts say ' || coalesce(d.fen, 0)
    from (select merchant_id, -sum(balance_fen) as fen from ledger_account where kind = 'pending' group by 1) p
    full join (${pendingByFacts}) d using (merchant_id) where coalesce(p.fen, 0) <> coalesce(d.fen, 0)
    union all
    select 'issuer ' || merchant_id || ' gave ' || sum(balance_fen) || ' more than stands on its cards'
    from ledger_account where kind in ('coupon_cost', 'gift_liability') group by merchant_id
    having sum(balance_fen) <> 0
    union all
    select 'issuer ' || merchant_id || ' has ' || sum(fen) || ' more due for its cards than facts say'
    from (${issuerDues}) d group by merchant_id having sum(fen) <> 0
    union all
    select 'supplier ' || id || ' is owed ' || sum(fen) || ' more than its open items say'
    from (${supplierDues}) d group by id having sum(fen) <> 0
    union all
    select 'run ' || r.id || ' is closed with differences open' from settlement_run r
    where r.state = 'closed' and exists (select 1 from settlement_difference d
      where d.run_id = r.id and d.state not in ${statesIn(differenceState, 'settled')})
    union all
    select 'channel ' || b.id || ' holds ' || coalesce(a.fen, 0) || ', its bills and the bank say ' || b.fen
    from (${channelBalances}) b
    left join (select key, sum(balance_fen) as fen from ledger_account where kind = 'channel_balance' group by 1) a
      on a.key = b.id::text
    where coalesce(a.fen, 0) <> b.fen
    union all
    select 'difference ' || d.id || ' was written off ' || count(t.id) || ' times' from settlement_difference d
    join settlement_run r on r.id = d.run_id and r.funds_mode <> 'direct'
    left join ledger_transfer t on t.kind = 'decision' and t.reference = d.id::text
    group by d.id having count(t.id) <> case when d.state = 'decided' and d.decision = 'write_off' then 1 else 0 end
    union all
    select 'receiver ' || coalesce(a.key, o.key) || ' is owed ' || coalesce(a.fen, 0) || ', its shares say '
      || coalesce(o.fen, 0)
    from (select merchant_id, key, -balance_fen as fen from ledger_account where kind = 'split_payable') a
    full join (${owedToReceivers}) o using (merchant_id, key) where coalesce(a.fen, 0) <> coalesce(o.fen, 0)
    union all
    select 'split ' || s.id || ' gave more than its order left' from split s join split_line l on l.split_id = s.id
    group by s.id having sum(l.amount_fen + l.deducted_fen) > s.base_fen
    union all
    select 'line ' || l.id || ' says it is matched and is not' from statement_line l
    where (l.matched_id is not null) <> exists (select 1 from statement_match m where m.line_id = l.id)
    limit 100`.execute(db)
  return found.rows.map(({ what }) => what)
}

/**
 * Of each channel, on the days whose money we book: all that its matched bills moved, and what the bank was short of in
 * payouts.
 */
const channelBalances = sql`
  select c.id, (
      select coalesce(sum(case l.kind when 'payment' then l.amount_fen - l.fee_fen
        when 'refund' then -l.amount_fen - l.fee_fen
        when 'fund_payout' then l.amount_fen when 'fund_split' then l.amount_fen
        when 'fund_other' then l.amount_fen else 0 end), 0)
      from settlement_run r join statement_line l on l.run_id = r.id
      where r.channel_id = c.id and r.matched_at is not null and r.funds_mode <> 'direct'
    ) + (
      select coalesce(sum(-l.amount_fen - b.amount_fen - b.fee_fen), 0)
      from bank_receipt b join statement_line l on l.id = b.line_id
      join settlement_run r on r.id = l.run_id and r.funds_mode <> 'direct' where b.channel_id = c.id) as fen
  from settlement_channel c`

/** Of each payer and receiver: what was not paid of its shares, and not given to the payer. */
const owedToReceivers = sql`
  select s.merchant_id, l.receiver_id::text as key, sum(l.amount_fen - l.cut_fen) as fen
  from split s join split_line l on l.split_id = s.id and l.state in ${statesIn(splitLineState, 'owed')} group by 1, 2`

/** What the account says, less what desks took and gifts that were spent, with what issuers brought in or paid back. */
const issuerDues = sql`
  select merchant_id, balance_fen as fen from ledger_account where kind = 'card_due'
  union all
  select merchant_id, -amount_fen from member_card_top_up where method in ('cash', 'transfer')
  union all
  select merchant_id, balance_fen from member_card_payout
  union all
  select merchant_id, balance_fen from member_card_reversal
  union all
  select c.merchant_id, h.credited_gift_fen - h.gift_fen from member_card_charge h
  join member_card c on c.id = h.card_id
  join ledger_transfer t on t.kind = 'sale' and t.reference = h.order_id::text
  union all
  select a.merchant_id, -e.amount_fen from ledger_entry e join ledger_account a on a.id = e.account_id
  join ledger_transfer t on t.id = e.transfer_id where a.kind = 'card_due' and t.kind = 'card_settlement'`

/** What the books say of each supplier, less what is open of its receipts and invoices. */
const supplierDues = sql`
  select key as id, -balance_fen as fen from ledger_account where kind = 'supplier_due'
  union all
  select supplier_id::text, -open_fen from payable`

/** Sold, less what went back, less what was settled: from the entries and settlements by themselves. */
const pendingByFacts = sql`
  select merchant_id, sum(fen) as fen from (
    select i.merchant_id, -sum(e.amount_fen) as fen
    from ledger_entry e join ledger_account i on i.id = e.account_id and i.kind = 'pending'
    join ledger_transfer t on t.id = e.transfer_id where t.kind <> 'settlement' group by 1
    union all
    select s.merchant_id, -sum(s.gross_fen - s.refund_fen) from settlement s group by 1) both_sides
  group by merchant_id having sum(fen) <> 0`
