-- What a machine said and what it did not: temperatures as a record, and messages that are missing.

-- Whatever is partitioned is so by month: no list that a new table could be forgotten in.
create or replace function ensure_partitions(first_day date, last_day date) returns void language plpgsql as $$
declare
  parent text;
  month date;
begin
  for parent in
    select relname from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace and not relispartition
  loop
    month := date_trunc('month', first_day);
    while month <= last_day loop
      if to_regclass(format('%I', parent || to_char(month, '_YYYYMM'))) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          parent || to_char(month, '_YYYYMM'), parent, month::timestamp at time zone 'UTC',
          (month + interval '1 month')::timestamp at time zone 'UTC');
      end if;
      month := month + interval '1 month';
    end loop;
  end loop;
end $$;

-- Append-only, in a chain of hashes for each machine and business day in the order of arrival (GSP, appendix 3).
create table temperature_record (
  id bigint generated always as identity,
  merchant_id bigint not null,
  machine_id bigint not null,
  -- The machine's own business day.
  day date not null,
  -- Its place in the chain of that day, from 1.
  place int not null check (place >= 1),
  at timestamptz not null,
  received_at timestamptz not null,
  msg_id text not null,
  probe int not null check (probe between 0 and 15),
  celsius_tenths int not null check (celsius_tenths between -800 and 1200),
  humidity_tenths int check (humidity_tenths between 0 and 1000),
  mode text not null default '' check (length(mode) <= 20),
  compressor boolean,
  hash bytea not null,
  primary key (merchant_id, at, id)
) partition by range (at);
create index temperature_record_machine on temperature_record (machine_id, at);
create index temperature_record_chain on temperature_record (machine_id, day, place);
create trigger temperature_record_kept before update or delete on temperature_record
  for each statement execute function facts_are_kept();

-- The end of each day's chain, and who signed the day as it stood then.
create table temperature_day (
  machine_id bigint not null references machine on delete cascade,
  day date not null,
  records int not null default 0,
  last_hash bytea not null,
  lowest_tenths int,
  highest_tenths int,
  signed_by bigint references app_user on delete set null,
  signed_at timestamptz,
  -- What was signed: later records show as added since.
  signed_records int,
  signed_note text not null default '' check (length(signed_note) <= 200),
  primary key (machine_id, day),
  check ((signed_at is null) = (signed_records is null))
);

-- How far a machine has counted since its program started.
create table machine_seq (
  machine_id bigint primary key references machine on delete cascade,
  boot_id text not null,
  top_seq bigint not null
) with (fillfactor = 50);

-- Numbers that were passed over, until they come or a day has gone by.
create table message_gap (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machine on delete cascade,
  boot_id text not null,
  first_seq bigint not null,
  last_seq bigint not null check (last_seq >= first_seq),
  opened_at timestamptz not null,
  -- When all of it had come, or when it was given up.
  ended_at timestamptz,
  is_filled boolean not null default false,
  check (ended_at is not null or not is_filled)
);
create index message_gap_open on message_gap (machine_id, boot_id, first_seq) where ended_at is null;
create index message_gap_machine on message_gap (machine_id, opened_at desc);
