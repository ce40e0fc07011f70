-- What banks say they did, day by day, beside what we took for done.

-- A day that was read whole; its lines stay as they were said.
create table bank_statement (
  payout_account_id bigint not null references payout_account,
  day date not null,
  read_at timestamptz not null,
  primary key (payout_account_id, day)
);

create table bank_statement_line (
  id bigint generated always as identity primary key,
  payout_account_id bigint not null,
  day date not null,
  kind text not null check (kind in ('paid', 'returned')),
  -- What we named it, or whoever else asked the bank.
  reference text not null check (length(reference) between 1 and 60),
  bank_no text not null check (length(bank_no) between 1 and 60),
  amount_fen bigint not null check (amount_fen > 0),
  foreign key (payout_account_id, day) references bank_statement,
  unique (payout_account_id, bank_no, kind)
);
create index bank_statement_line_reference on bank_statement_line (payout_account_id, reference, kind, id);
create index bank_statement_line_day on bank_statement_line (day, id);
create trigger bank_statement_line_kept before update or delete on bank_statement_line
  for each statement execute function facts_are_kept();
create index withdrawal_paid on withdrawal (payout_account_id, paid_at) where paid_at is not null;

-- Why a line and a withdrawal differ, as a person found out. The id is that of the list: twice a line's, or twice a
-- withdrawal's and one more where the bank has no line of it.
create table bank_difference (
  id bigint primary key,
  reason text not null check (length(reason) between 2 and 200),
  explained_by bigint not null references app_user,
  explained_at timestamptz not null
);
create trigger bank_difference_kept before update or delete on bank_difference
  for each statement execute function facts_are_kept();
select keep_facts_from_truncate();
