-- Stored medicines are looked at once a cycle: one task for each batch at each machine, warehouse or bag.

create table care_task (
  id bigint generated always as identity primary key,
  batch_id bigint not null references medicine_batch,
  machine_id bigint references machine,
  place_id bigint references place,
  kind text not null check (kind in ('normal', 'key')),
  key_reasons text[] not null default '{}'
    check (key_reasons <@ array['cold', 'limited', 'nearExpiry', 'missed']),
  state text not null default 'open' check (state in ('open', 'done', 'missed', 'gone')),
  -- The last care, or the day on which the batch came there.
  since date not null,
  due_on date not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- What is open first, by its day; then what is over, the newest first.
  rank int generated always as
    (case when state = 'open' then due_on - date '2000-01-01' else 1000000 - (due_on - date '2000-01-01') end) stored,
  check ((machine_id is null) <> (place_id is null)),
  check ((state = 'open') = (ended_at is null)),
  check (due_on >= since)
);
-- One of a kind is open, however often the plan is made.
create unique index care_task_open_machine on care_task (batch_id, machine_id)
  where state = 'open' and machine_id is not null;
create unique index care_task_open_place on care_task (batch_id, place_id)
  where state = 'open' and place_id is not null;
create index care_task_batch on care_task (batch_id, due_on);
create index care_task_machine on care_task (machine_id, due_on) where machine_id is not null;
create index care_task_place on care_task (place_id, due_on) where place_id is not null;
create index care_task_due on care_task (due_on);
create index care_task_rank on care_task (rank, id);

-- What was found, signed; what was wrong is followed by another, and both stay.
create table care_record (
  id bigint generated always as identity primary key,
  task_id bigint not null references care_task,
  corrects bigint references care_record,
  result text not null check (result in ('ok', 'hold', 'scrap')),
  measures text not null check (length(measures) <= 200),
  reason text not null default '' check (length(reason) <= 200),
  quantity int not null,
  -- As the records of the place have it, from the last care until the signature.
  lowest_tenths int,
  highest_tenths int,
  lowest_humidity_tenths int,
  highest_humidity_tenths int,
  readings int not null check (readings >= 0),
  -- The name stays with the signature.
  signed_by bigint references app_user on delete set null,
  signer text not null check (length(signer) between 1 and 80),
  signed_at timestamptz not null,
  check ((corrects is null) = (reason = ''))
);
create unique index care_record_first on care_record (task_id) where corrects is null;
create unique index care_record_corrects on care_record (corrects) where corrects is not null;
create index care_record_task on care_record (task_id, id);
create index care_record_signed on care_record (signed_at);
-- The pointer to who signed is emptied where the account goes; nothing else changes.
create trigger care_record_kept before delete or update of task_id, corrects, result, measures, reason, quantity,
  lowest_tenths, highest_tenths, lowest_humidity_tenths, highest_humidity_tenths, readings, signer, signed_at
  on care_record
  for each statement execute function facts_are_kept();
create trigger care_record_not_emptied before truncate on care_record
  for each statement execute function facts_are_kept();
