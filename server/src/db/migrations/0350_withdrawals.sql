-- Money of merchants on its way to their banks: who holds it and is asked to pay, and each withdrawal with its story.

-- From which a merchant, and all below it without one of their own, are paid; the bank is spoken with at the address.
create table payout_account (
  id bigint generated always as identity primary key,
  merchant_id bigint not null constraint payout_account_once unique references merchant,
  -- Where neither holds, the channel pays the merchant itself and nobody may withdraw.
  funds_mode text not null check (funds_mode in ('custody', 'demo')),
  holder text not null check (length(holder) between 1 and 80),
  bank text not null check (length(bank) between 1 and 60),
  -- By which the bank knows who asks.
  customer_no text not null check (length(customer_no) between 1 and 40),
  address text not null check (length(address) <= 300),
  -- Sealed as payoutAccount:<merchant>.
  secret bytea not null,
  is_on boolean not null,
  version int not null default 1,
  changed_at timestamptz not null
);

create table withdrawal (
  id bigint generated always as identity primary key,
  -- The bank knows it by this number, however often it is asked.
  no text not null unique check (no ~ '^W[0-9]{17}$'),
  merchant_id bigint not null references merchant,
  bank_account_id bigint not null references bank_account,
  payout_account_id bigint not null references payout_account,
  funds_mode text not null check (funds_mode in ('custody', 'demo')),
  amount_fen bigint not null check (amount_fen between 101 and 20000000),
  fee_fen bigint not null check (fee_fen >= 0),
  state text not null default 'requested' check (state in ('requested', 'checked', 'approved', 'paying', 'unknown',
    'paid', 'rejected', 'cancelled', 'failed', 'returned')),
  detail text check (length(detail) between 1 and 120),
  reason text check (length(reason) between 2 and 200),
  -- Above it two people look, besides who asks.
  limit_fen bigint not null check (limit_fen >= 0),
  requested_by bigint not null references app_user,
  requested_at timestamptz not null,
  due_on date not null,
  checked_by bigint references app_user,
  approved_by bigint references app_user,
  ended_at timestamptz,
  tries int not null default 0 check (tries >= 0),
  asks int not null default 0 check (asks >= 0),
  sent_at timestamptz,
  next_at timestamptz,
  bank_no text check (length(bank_no) between 1 and 60),
  paid_at timestamptz,
  version int not null default 1,
  constraint withdrawal_two_people check (checked_by <> requested_by and approved_by <> requested_by
    and approved_by <> checked_by),
  constraint withdrawal_second_look check (approved_by is null or amount_fen <= limit_fen or checked_by is not null),
  check (state not in ('approved', 'paying', 'unknown', 'paid', 'failed', 'returned') or approved_by is not null),
  check (state not in ('paying', 'unknown', 'paid', 'failed', 'returned') or sent_at is not null),
  check (state not in ('paid', 'returned') or paid_at is not null),
  check ((state = 'rejected') = (reason is not null))
);
create index withdrawal_merchant on withdrawal (merchant_id, id desc);
create index withdrawal_waiting on withdrawal (id) where state in ('requested', 'checked');
create index withdrawal_next on withdrawal (next_at, id) where next_at is not null;
create index withdrawal_account on withdrawal (bank_account_id, id desc);

create table withdrawal_event (
  id bigint generated always as identity primary key,
  withdrawal_id bigint not null references withdrawal,
  at timestamptz not null,
  verb text not null check (length(verb) between 1 and 20),
  user_id bigint references app_user,
  note text not null default '' check (length(note) <= 300)
);
create index withdrawal_event_of on withdrawal_event (withdrawal_id, id);
create trigger withdrawal_event_kept before update or delete on withdrawal_event
  for each statement execute function facts_are_kept();
select keep_facts_from_truncate();

-- What is asked for, to whom it goes and what it costs stays as it was asked for.
create function withdrawal_kept() returns trigger language plpgsql as $$
begin
  if (new.no, new.merchant_id, new.bank_account_id, new.payout_account_id, new.funds_mode, new.amount_fen, new.fee_fen,
      new.limit_fen, new.requested_by, new.requested_at, new.due_on)
    is distinct from (old.no, old.merchant_id, old.bank_account_id, old.payout_account_id, old.funds_mode,
      old.amount_fen, old.fee_fen, old.limit_fen, old.requested_by, old.requested_at, old.due_on) then
    raise exception 'withdrawal % stays as it was asked for', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger withdrawal_kept before update on withdrawal for each row execute function withdrawal_kept();
