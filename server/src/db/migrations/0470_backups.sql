-- When what was backed up, and whether the copy was good: restored, started, its books true. One that was cut off never
-- ends; the next run says so in its row and removes what it left.
create table backup_run (
  id bigint generated always as identity primary key,
  file text not null check (length(file) between 1 and 1000),
  by_schedule boolean not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  is_good boolean,
  problem text not null default '' check (length(problem) <= 1000),
  bytes bigint,
  -- Of the ledger in the copy (ledger/day.store.ts).
  books_hash bytea check (length(books_hash) = 32),
  removed_at timestamptz,
  check ((ended_at is null) = (is_good is null)),
  check (is_good is not true or (bytes > 0 and books_hash is not null and problem = '')),
  check (is_good is not false or problem <> '')
);
create index backup_run_newest on backup_run (began_at desc);
create index backup_run_good on backup_run (began_at desc) where is_good;

alter table system_alarm drop constraint system_alarm_kind_check;
alter table system_alarm add constraint system_alarm_kind_check check (kind in ('outbox_lag', 'outbox_failed',
  'job_failed', 'seal_lag', 'audit_broken', 'books_differ', 'gateway_silent', 'backup_failed', 'backup_old'));
