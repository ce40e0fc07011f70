-- Orders, the double-entry ledger and the figures that reports and the wallboard read.
-- Tables partitioned by month hold no unique key without the month, so numbers get their identity in narrow tables.

create table order_number (
  order_no text primary key,
  order_id bigint generated always as identity unique,
  merchant_id bigint not null,
  machine_id bigint not null,
  occurred_at timestamptz not null
);

create table orders (
  id bigint not null,
  merchant_id bigint not null,
  machine_id bigint not null,
  order_no text not null,
  machine_order_no text not null,
  business_type text not null check (business_type in ('sale', 'pickup', 'prescription', 'lottery', 'member')),
  method text not null
    check (method in ('alipay', 'wechat', 'unionpay', 'pickup_code', 'member_card', 'cash', 'other')),
  payment_state text not null
    check (payment_state in ('unpaid', 'paid', 'refunding', 'refunded', 'partly_refunded', 'closed')),
  ship_state text not null
    check (ship_state in ('in_transit', 'completed', 'timeout', 'invalid', 'lottery_won', 'lottery_lost')),
  order_state text not null check (order_state in ('open', 'done', 'closed')),
  problem text check (problem in ('undelivered', 'no_answer', 'late_result', 'amount_mismatch')),
  is_lottery boolean not null default false,
  is_offline boolean not null default false,
  item_count int not null check (item_count > 0),
  total_fen bigint not null check (total_fen >= 0),
  discount_fen bigint not null default 0 check (discount_fen between 0 and total_fen),
  paid_fen bigint not null default 0 check (paid_fen >= 0),
  refunded_fen bigint not null default 0,
  third_party_no text,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  business_day date not null,
  paid_at timestamptz,
  ship_sent_at timestamptz,
  ship_received_at timestamptz,
  finished_at timestamptz,
  primary key (merchant_id, occurred_at, id),
  -- Part of keys that travel through programs whose clocks count milliseconds.
  check (occurred_at = date_trunc('milliseconds', occurred_at)),
  check (refunded_fen between 0 and paid_fen),
  check (payment_state in ('unpaid', 'closed') or paid_at is not null)
) partition by range (occurred_at);
create index orders_newest on orders (occurred_at, id);
create index orders_machine on orders (machine_id, occurred_at, id);
create index orders_problem on orders (occurred_at, id) where problem is not null;
create index orders_waiting on orders (occurred_at) where order_state = 'open';
create index orders_third_party on orders (third_party_no) where third_party_no is not null;

create table order_item (
  merchant_id bigint not null,
  occurred_at timestamptz not null,
  order_id bigint not null,
  index smallint not null check (index between 0 and 19),
  slot_id bigint not null,
  product_id bigint not null,
  list_price_fen bigint not null check (list_price_fen >= 0),
  price_fen bigint not null check (price_fen >= 0),
  state text not null check (state in ('waiting', 'dispensed', 'jammed', 'failed', 'no_answer')),
  motor_code text,
  sensor_code text,
  batch text,
  trace_code text,
  shipped_at timestamptz,
  primary key (merchant_id, occurred_at, order_id, index)
) partition by range (occurred_at);

create table ledger_account (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('clearing', 'pending', 'available', 'withdrawing', 'fees', 'cash_in_machine',
    'cash_owned', 'card_liability', 'loss')),
  merchant_id bigint not null references merchant,
  -- Channel, machine code or card that the account is kept for; '' where there is one a merchant.
  key text not null default '',
  -- Debits are positive, credits negative, so a liability's balance is below zero when something is owed.
  balance_fen bigint not null default 0,
  -- 1: the balance may not go below zero, -1: not above; 0: free.
  bound smallint not null default 0 check (bound in (-1, 0, 1)),
  unique (kind, merchant_id, key),
  check (bound * balance_fen >= 0)
) with (fillfactor = 60);

-- Narrow and not partitioned: a kind and a reference are unique together, so posting twice posts once.
create table ledger_transfer (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('sale', 'refund', 'fee', 'settlement', 'withdrawal', 'card_top_up', 'reversal')),
  reference text not null,
  merchant_id bigint not null references merchant,
  posted_at timestamptz not null,
  business_day date not null,
  unique (kind, reference)
);

create table ledger_entry (
  merchant_id bigint not null,
  posted_at timestamptz not null,
  transfer_id bigint not null,
  account_id bigint not null,
  amount_fen bigint not null check (amount_fen <> 0),
  primary key (merchant_id, posted_at, transfer_id, account_id)
) partition by range (posted_at);
create index ledger_entry_account on ledger_entry (account_id, posted_at);

-- A transfer's entries come in one statement and sum to zero; balances move with them or nothing does.
create function ledger_entry_apply() returns trigger language plpgsql as $$
begin
  if exists (select 1 from posted group by transfer_id having sum(amount_fen) <> 0) then
    raise exception 'entries of a transfer do not sum to zero' using errcode = 'check_violation';
  end if;
  -- Taken in one order by every writer, so that two batches never wait for each other in a ring.
  perform 1 from ledger_account where id in (select account_id from posted) order by id for update;
  update ledger_account a set balance_fen = a.balance_fen + p.amount
  from (select account_id, sum(amount_fen) as amount from posted group by account_id) p
  where a.id = p.account_id;
  return null;
end $$;
create trigger ledger_entry_apply after insert on ledger_entry
  referencing new table as posted for each statement execute function ledger_entry_apply();
create trigger ledger_entry_kept before update or delete on ledger_entry
  for each statement execute function facts_are_kept();
create trigger ledger_transfer_kept before update or delete on ledger_transfer
  for each statement execute function facts_are_kept();

-- Rollups: small rows for each pair of dimension and day; written last in a transaction, under one advisory lock
-- (docs/decisions/0003). Sales count when they are paid, on the machine's business day.
create table rollup_total (
  merchant_id bigint primary key,
  orders bigint not null,
  paid_fen bigint not null
) with (fillfactor = 50);
create table rollup_day (
  business_day date not null,
  merchant_id bigint not null,
  method text not null,
  orders bigint not null,
  paid_fen bigint not null,
  discount_fen bigint not null,
  online_orders bigint not null,
  online_fen bigint not null,
  primary key (business_day, merchant_id, method)
) with (fillfactor = 50);
create table rollup_hour (
  business_day date not null,
  hour smallint not null check (hour between 0 and 23),
  merchant_id bigint not null,
  orders bigint not null,
  paid_fen bigint not null,
  primary key (business_day, merchant_id, hour)
) with (fillfactor = 50);
create table rollup_day_machine (
  business_day date not null,
  machine_id bigint not null,
  merchant_id bigint not null,
  orders bigint not null,
  paid_fen bigint not null,
  primary key (business_day, machine_id)
) with (fillfactor = 50);
create table rollup_day_product (
  business_day date not null,
  product_id bigint not null,
  merchant_id bigint not null,
  quantity bigint not null,
  paid_fen bigint not null,
  primary key (business_day, merchant_id, product_id)
) with (fillfactor = 50);
