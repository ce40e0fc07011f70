-- Cards asked about at machines, topped up at the desk, and paid for by who issued them (docs/decisions/0024).

-- Machines at which cards are asked for that nobody issued; as pickup_guess does for codes.
create table card_guess (
  machine_id bigint primary key references machine on delete cascade,
  misses int not null check (misses >= 0),
  window_ends_at timestamptz not null,
  blocked_until timestamptz,
  blocks int not null default 0,
  last_at timestamptz not null
) with (fillfactor = 60);

-- What the issuer's own desk takes: cash, or a transfer to its own account.
alter table member_card_top_up drop constraint member_card_top_up_method_check;
alter table member_card_top_up add constraint member_card_top_up_method_check
  check (method in ('alipay', 'wechat', 'unionpay', 'other', 'cash', 'transfer'));
alter table member_card_top_up add column note text not null default '' check (length(note) <= 200);

-- What an issuer still has to bring in for its cards.
alter table ledger_account drop constraint ledger_account_kind_check;
alter table ledger_account add constraint ledger_account_kind_check check (kind in (
  'clearing', 'channel_balance', 'payout_in_transit', 'bank', 'pending', 'available', 'withdrawing', 'fees',
  'channel_fee', 'suspense', 'cash_in_machine', 'cash_in_transit', 'cash_counted', 'cash_owned', 'card_liability',
  'gift_liability', 'card_due', 'coupon_cost', 'split_payable', 'tax_payable', 'loss', 'goods'));
alter table ledger_transfer drop constraint ledger_transfer_kind_check;
alter table ledger_transfer add constraint ledger_transfer_kind_check check (kind in (
  'sale', 'refund', 'fee', 'settlement', 'withdrawal', 'card_top_up', 'card_gift', 'card_move', 'card_settlement',
  'loss', 'statement', 'channel_fee', 'payout', 'bank_receipt', 'decision', 'write_off', 'adjustment', 'cash',
  'reversal'));

-- Gifts that were spent before are owed by who gave them, as those that are spent from now on.
select ensure_partitions(current_date - 1, current_date + 31);
insert into ledger_account (kind, merchant_id, key, bound)
select 'card_due', merchant_id, '', 0 from ledger_account where kind in ('coupon_cost', 'gift_liability')
group by merchant_id having sum(balance_fen) > 0;
insert into ledger_transfer (kind, reference, merchant_id, posted_at, business_day)
select 'adjustment', 'spent gifts/' || merchant_id, merchant_id, now(), (now() at time zone 'Asia/Shanghai')::date
from ledger_account where kind in ('coupon_cost', 'gift_liability') group by merchant_id having sum(balance_fen) > 0;
insert into ledger_entry (merchant_id, posted_at, transfer_id, account_id, amount_fen)
select t.merchant_id, t.posted_at, t.id, a.id, case a.kind when 'card_due' then s.fen else -s.fen end
from (select merchant_id, sum(balance_fen)::bigint as fen from ledger_account
  where kind in ('coupon_cost', 'gift_liability') group by 1 having sum(balance_fen) > 0) s
join ledger_transfer t on t.kind = 'adjustment' and t.reference = 'spent gifts/' || s.merchant_id
join ledger_account a on a.merchant_id = s.merchant_id and a.kind in ('card_due', 'coupon_cost') and a.key = '';
