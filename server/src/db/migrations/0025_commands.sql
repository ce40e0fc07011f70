-- What is asked of machines by people: commands one by one and in batches, tests, self-checks, remote dispenses and
-- software in waves.

alter table device_command
  add column seq bigint generated always as identity,
  -- What the machine said of a command that was already cancelled, expired or given up: it did it anyway, or not.
  add column late_state text check (late_state in ('received', 'done', 'failed', 'refused')),
  add check (length(result::text) <= 65536);
create unique index device_command_seq on device_command (seq);
create index device_command_queued on device_command (seq) where state = 'queued';
create index device_command_open on device_command (expires_at) where state in ('queued', 'sent', 'received');
create index device_command_people on device_command (seq) where created_by is not null;

alter table command_batch
  add column seq bigint generated always as identity,
  -- How many machines were named, and for each reason how many of them were left out.
  add column asked int not null default 0,
  add column left_out jsonb not null default '{}';
create unique index command_batch_seq on command_batch (seq);

alter table stock_move drop constraint stock_move_cause_check;
alter table stock_move add constraint stock_move_cause_check
  check (cause in ('vend', 'fill', 'remove', 'count', 'purchase', 'scrap', 'return', 'test', 'free'));

-- Motors turned one after the other to see whether they do.
create table machine_test (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine on delete cascade,
  scope text not null check (scope in ('slot', 'layer', 'all')),
  -- What falls out goes back into its slot; else it leaves the stock.
  puts_back boolean not null,
  reason text not null check (length(reason) between 1 and 200),
  state text not null default 'running' check (state in ('running', 'passed', 'failed', 'stopped')),
  started_by bigint references app_user on delete set null,
  started_at timestamptz not null,
  ended_at timestamptz,
  note text not null default '' check (length(note) <= 200),
  check ((state = 'running') = (ended_at is null))
);
create unique index machine_test_running on machine_test (machine_id) where state = 'running';
create index machine_test_machine on machine_test (machine_id, id desc);
create table machine_test_slot (
  test_id bigint not null references machine_test on delete cascade,
  place int not null,
  slot_id bigint not null references slot on delete cascade,
  slot_code text not null,
  product_id bigint references product,
  command_id uuid unique,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'passed', 'failed', 'skipped')),
  motor_code text,
  sensor_code text,
  duration_ms int,
  detail text,
  ended_at timestamptz,
  primary key (test_id, place)
);

-- What machines said of their parts, each time they were asked.
create table self_check (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine on delete cascade,
  command_id uuid not null unique,
  checked_at timestamptz not null,
  parts jsonb not null,
  part_count int not null,
  failing text[] not null,
  is_newest boolean not null default true
);
create unique index self_check_newest on self_check (machine_id) where is_newest;
create index self_check_machine on self_check (machine_id, checked_at desc);

-- A piece that a person lets out of a machine for somebody in front of it.
create table remote_ship (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine on delete cascade,
  slot_code text not null,
  place_id bigint not null references place,
  product_id bigint not null references product,
  -- What the machine knows it by: it turns a motor once for it.
  order_no text not null,
  command_id uuid not null unique,
  -- The order's item that had not come out; without one it is given away.
  order_id bigint,
  item_index smallint,
  cost_fen bigint not null check (cost_fen >= 0),
  customer text not null default '' check (length(customer) <= 60),
  reason text not null check (length(reason) between 2 and 200),
  state text not null default 'sent'
    check (state in ('sent', 'received', 'dispensed', 'jammed', 'refused', 'expired', 'unknown')),
  motor_code text,
  sensor_code text,
  detail text,
  created_by bigint references app_user on delete set null,
  created_at timestamptz not null,
  received_at timestamptz,
  finished_at timestamptz,
  unique (machine_id, order_no),
  check ((order_id is null) = (item_index is null))
);
create index remote_ship_newest on remote_ship (created_at desc, id desc);
create index remote_ship_machine on remote_ship (machine_id, id desc);
-- An item that may have come out is not shipped again.
create unique index remote_ship_item on remote_ship (order_id, item_index)
  where order_id is not null and state in ('sent', 'received', 'dispensed', 'unknown');

create table app_package (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  version text not null check (length(version) between 1 and 40),
  url text not null check (length(url) <= 400),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  notes text not null default '' check (length(notes) <= 1000),
  created_by bigint references app_user on delete set null,
  created_at timestamptz not null,
  unique (merchant_id, version)
);
create table rollout (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  package_id bigint not null references app_package,
  reason text not null check (length(reason) between 2 and 200),
  -- Per cent of all machines that have been asked when the wave is over; the last one is 100.
  waves int[] not null check (cardinality(waves) between 1 and 8 and waves[cardinality(waves)] = 100),
  failure_limit_percent int not null check (failure_limit_percent between 0 and 50),
  state text not null default 'running'
    check (state in ('running', 'paused', 'stopped', 'done', 'rolled_back')),
  -- Which wave is out, from 1.
  wave int not null default 1 check (wave between 1 and cardinality(waves)),
  -- A person went on all the same: with so many failures of this wave.
  forgiven_wave int,
  forgiven int not null default 0,
  version int not null default 1,
  created_by bigint references app_user on delete set null,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index rollout_merchant on rollout (merchant_id, id desc);
create index rollout_running on rollout (id) where state = 'running';
create table rollout_machine (
  rollout_id bigint not null references rollout on delete cascade,
  machine_id bigint not null references machine on delete cascade,
  wave int not null,
  command_id uuid unique,
  -- As it stood when the command was last heard of; null before its wave.
  state text check (state in ('open', 'done', 'failed', 'missed')),
  detail text,
  primary key (rollout_id, machine_id)
);
create index rollout_machine_wave on rollout_machine (rollout_id, wave, state);
-- One machine takes one software at a time.
create index rollout_machine_open on rollout_machine (machine_id) where state = 'open';
