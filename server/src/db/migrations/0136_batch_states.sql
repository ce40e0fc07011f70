-- A batch is available, locked, recalled or rejected; whether it has expired follows from its day.
alter table medicine_batch drop constraint medicine_batch_state_check;
update medicine_batch set state = 'available' where state = 'normal';
alter table medicine_batch
  alter column state set default 'available',
  add constraint medicine_batch_state_check check (state in ('available', 'locked', 'recalled', 'rejected')),
  add created_by bigint references app_user on delete set null,
  add created_at timestamptz not null default now();
