-- The double-entry ledger and its days (docs/decisions/0003, 0022, 0027).

create table ledger_account (
  id bigint generated always as identity primary key,
  -- All kinds that payments, refunds, cards and the daily books know; bounds are the code's (ledger.rules.ts). A
  -- card_due is what an issuer still has to bring in for its cards.
  kind text not null check (kind in (
    'clearing', 'channel_balance', 'payout_in_transit', 'bank', 'pending', 'available', 'withdrawing', 'fees',
    'channel_fee', 'suspense', 'cash_in_machine', 'cash_in_transit', 'cash_counted', 'cash_owned', 'card_liability',
    'gift_liability', 'card_due', 'coupon_cost', 'split_payable', 'tax_payable', 'loss', 'goods')),
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
  kind text not null check (kind in (
    'sale', 'refund', 'fee', 'settlement', 'withdrawal', 'card_top_up', 'card_gift', 'card_move', 'card_settlement',
    'loss', 'statement', 'channel_fee', 'payout', 'bank_receipt', 'decision', 'write_off', 'adjustment', 'cash',
    'reversal')),
  reference text not null,
  -- Refers to nothing: entries lead to accounts and accounts to their merchants, and to look the merchant of each
  -- transfer up again was most of what posting it cost (docs/decisions/0027).
  merchant_id bigint not null,
  posted_at timestamptz not null,
  business_day date not null,
  -- The closed day that a late fact belongs to: it is posted today.
  adjusts date,
  unique (kind, reference)
);
create trigger ledger_transfer_kept before update or delete on ledger_transfer
  for each statement execute function facts_are_kept();

create table ledger_entry (
  merchant_id bigint not null,
  posted_at timestamptz not null,
  transfer_id bigint not null,
  account_id bigint not null,
  amount_fen bigint not null check (amount_fen <> 0),
  primary key (merchant_id, posted_at, transfer_id, account_id)
) partition by range (posted_at);
create index ledger_entry_account on ledger_entry (account_id, posted_at);
create trigger ledger_entry_kept before update or delete on ledger_entry
  for each statement execute function facts_are_kept();

-- A day of the books, by the calendar of the platform's home. Closed: no entry comes into it any more. Sealed: the hash
-- of its entries is tied to the one of the day before.
create table ledger_day (
  day date primary key,
  closed_at timestamptz not null,
  sealed_at timestamptz,
  entries bigint check (entries >= 0),
  debit_fen bigint check (debit_fen >= 0),
  previous bytea,
  hash bytea,
  check (num_nulls(sealed_at, entries, debit_fen, previous, hash) in (0, 5))
);

-- A transfer's entries come in one statement and sum to zero; balances move with them or nothing does.
-- What is joined here is a handful of rows or some thousands, always by key. A plan is made once a connection, for as
-- many rows as came first: after a big batch it read the whole table for a single sale, so other joins are off.
create function ledger_entry_apply() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
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

-- A closed day is sealed once and else stays as it is.
create function ledger_day_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.sealed_at is not null or new.day <> old.day or new.closed_at <> old.closed_at then
    raise exception 'a closed day of the books stays as it is' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger ledger_day_kept before update or delete on ledger_day for each row execute function ledger_day_kept();

-- Nothing is posted into a closed day.
create function ledger_day_closed() returns trigger language plpgsql as $$
begin
  if exists (select 1 from ledger_day
      where day >= (select min(posted_at) at time zone 'Asia/Shanghai' from posted)::date) then
    raise exception 'the day of an entry is closed' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_day_closed after insert on ledger_entry
  referencing new table as posted for each statement execute function ledger_day_closed();
