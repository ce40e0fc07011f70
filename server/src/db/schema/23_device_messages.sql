-- What machines said, what was refused and what is missing (docs/decisions/0013).

-- Identity of every critical message: same id and content is answered again, same id and other content is a conflict.
create table device_message (
  machine_id bigint not null,
  msg_id text not null,
  type text not null,
  content_hash bytea not null,
  state text not null check (state in ('processed', 'refused')),
  reason text,
  received_at timestamptz not null,
  primary key (machine_id, msg_id)
);
create index device_message_age on device_message using brin (received_at);
create index device_message_machine on device_message (machine_id, received_at desc);

-- Critical messages whose meaning is read by parts yet to come; kept whole.
create table device_event (
  id bigint generated always as identity,
  merchant_id bigint not null,
  machine_id bigint not null,
  msg_id text not null,
  type text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  data jsonb not null,
  primary key (merchant_id, received_at, id)
) partition by range (received_at);
create index device_event_machine on device_event (machine_id, received_at);

-- Refused, forged or conflicting messages, for a person to see. Repeats raise the count.
create table device_refusal (
  id bigint generated always as identity primary key,
  machine_id bigint references machine on delete cascade,
  machine_code text not null,
  reason text not null,
  type text,
  fingerprint text not null,
  detail text not null check (length(detail) <= 2000),
  count bigint not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  unique (machine_code, fingerprint)
);
create index device_refusal_machine on device_refusal (machine_id, last_at desc);

-- How far a machine has counted since its program started.
create table machine_seq (
  machine_id bigint primary key references machine on delete cascade,
  boot_id text not null,
  top_seq bigint not null,
  -- Two machines that speak with one code and secret: each is heard again with a run of its program that had ended.
  previous_boot text,
  returns int not null default 0,
  returned_at timestamptz
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

-- Audit files of machines: the counters of the controller itself, beside what orders and stock say.
create table dex_read (
  id bigint generated always as identity,
  merchant_id bigint not null,
  machine_id bigint not null,
  msg_id text not null,
  kind text not null check (kind in ('interval', 'fill', 'collect')),
  read_at timestamptz not null,
  received_at timestamptz not null,
  -- Null when it is believed.
  fault text check (fault in ('notDex', 'noEnd', 'lineCount', 'checkValue', 'wrongMachine')),
  -- Counters of one board, from one initialisation to the next.
  epoch int not null default 1 check (epoch >= 1),
  raw text not null check (length(raw) <= 65536),
  parsed jsonb,
  primary key (merchant_id, read_at, id),
  check ((parsed is null) = (fault is not null and fault <> 'wrongMachine'))
) partition by range (read_at);
create index dex_read_machine on dex_read (machine_id, read_at desc, id desc);
create trigger dex_read_kept before update or delete on dex_read
  for each statement execute function facts_are_kept();

-- Lines of a machine's log. Nothing counts on them.
create table machine_log (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machine on delete cascade,
  at timestamptz not null,
  level text not null check (level in ('debug', 'info', 'warn', 'error')),
  lines text[] not null check (cardinality(lines) between 1 and 100)
);
create index machine_log_newest on machine_log (machine_id, id desc);
create index machine_log_age on machine_log (at);

-- A machine says its count of the day so far: the largest holds, whatever is lost or said twice.
create table machine_ad_day (
  machine_id bigint not null references machine on delete cascade,
  business_day date not null,
  ad text not null check (length(ad) between 1 and 40),
  plays int not null check (plays >= 0),
  seconds int not null check (seconds >= 0),
  primary key (machine_id, business_day, ad)
) with (fillfactor = 60);
create index machine_ad_day_age on machine_ad_day (business_day);
