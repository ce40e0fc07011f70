-- Counted cash is taken to a bank under the number of its slip; the boxes that it came out of are known.
create table cash_deposit (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  slip_no text not null check (length(slip_no) between 1 and 40),
  deposited_on date not null,
  -- What was counted in its boxes, and what the bank took.
  counted_fen bigint not null check (counted_fen > 0),
  amount_fen bigint not null check (amount_fen > 0),
  note text not null default '' check (length(note) <= 200),
  state text not null default 'entered' check (state in ('entered', 'reversed')),
  entered_by bigint not null references app_user,
  depositor text not null,
  entered_at timestamptz not null,
  reversed_by bigint references app_user,
  reverser text,
  reversed_at timestamptz,
  reason text check (length(reason) between 2 and 200),
  check (amount_fen = counted_fen or length(note) >= 2),
  check ((state = 'reversed') = (reversed_by is not null and reversed_at is not null and reason is not null)),
  constraint cash_deposit_two_people check (reversed_by <> entered_by)
);
create unique index cash_deposit_slip on cash_deposit (merchant_id, slip_no) where state = 'entered';
create index cash_deposit_newest on cash_deposit (merchant_id, id desc);

alter table cash_collection add column deposit_id bigint references cash_deposit;
alter table cash_collection add constraint cash_collection_deposit check (deposit_id is null or state = 'settled');
create index cash_collection_unbanked on cash_collection (merchant_id, settled_at)
  where state = 'settled' and deposit_id is null;
create index cash_collection_of_deposit on cash_collection (deposit_id) where deposit_id is not null;
