-- Cash boxes on their way from machines to the books.

create table cash_collection (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine,
  box_no text not null check (length(box_no) between 1 and 40),
  state text not null default 'taken' check (state in ('taken', 'counted', 'settled', 'cancelled')),
  -- When it left the machine, which a phone may have told hours later.
  taken_at timestamptz not null,
  booked_at timestamptz not null,
  taken_by bigint not null references app_user,
  taker text not null,
  -- Of the visit that told it; a step counts once.
  step uuid unique,
  expected_fen bigint not null check (expected_fen >= 0),
  counted_fen bigint check (counted_fen >= 0),
  counted_by bigint references app_user,
  counter text,
  counted_at timestamptz,
  decided_by bigint references app_user,
  decider text,
  settled_at timestamptz,
  note text not null default '' check (length(note) <= 400),
  check (taken_at <= booked_at),
  check (num_nulls(counted_fen, counted_by, counter, counted_at) in (0, 4)),
  check ((counted_fen is null) = (state in ('taken', 'cancelled'))),
  check ((settled_at is null) = (state in ('taken', 'counted'))),
  check (num_nulls(decided_by, decider) in (0, 2)),
  check (counted_by <> taken_by),
  check (decided_by is null or state = 'cancelled' or (decided_by <> taken_by and decided_by <> counted_by))
);
create unique index cash_collection_box on cash_collection (merchant_id, box_no) where state = 'taken';
create index cash_collection_machine on cash_collection (machine_id, taken_at);
create index cash_collection_merchant on cash_collection (merchant_id, id);
create index cash_collection_open on cash_collection (state) where state in ('taken', 'counted');
create index cash_collection_taken_by on cash_collection (taken_by);
create index cash_collection_counted_by on cash_collection (counted_by);
create index cash_collection_decided_by on cash_collection (decided_by);

-- What is handed back at a machine may come out of the hand of whoever is there, before the next box.
update ledger_account set bound = 0 where kind = 'cash_in_machine';

alter table visit_step drop constraint visit_step_kind_check, add constraint visit_step_kind_check
  check (kind in ('open', 'photo', 'count', 'takeOut', 'fill', 'cash', 'fault', 'done'));
