-- What is asked of machines by people: commands one by one and in batches, tests, self-checks, remote dispenses and
-- software in waves (docs/decisions/0010).

-- One thing asked of many machines at once; its commands are counted, never copied here.
create table command_batch (
  id uuid primary key,
  merchant_id bigint not null references merchant,
  type text not null,
  -- What was asked, for the one who reads it; each command has its own data.
  data jsonb not null,
  reason text not null check (length(reason) between 1 and 200),
  created_by bigint references app_user on delete set null,
  created_at timestamptz not null,
  cancelled_at timestamptz,
  seq bigint generated always as identity,
  -- How many machines were named, and for each reason how many of them were left out.
  asked int not null default 0,
  left_out jsonb not null default '{}'
);
create index command_batch_merchant on command_batch (merchant_id, created_at desc);
create index command_batch_template on command_batch (((data ->> 'templateId')::bigint), created_at desc)
  where type = 'push_template';
create unique index command_batch_seq on command_batch (seq);

-- One thing asked of one machine, from its queue to what the machine said of it.
create table device_command (
  id uuid primary key,
  merchant_id bigint not null,
  machine_id bigint not null references machine on delete cascade,
  type text not null check (type in (
    'ship', 'test_vend', 'self_check', 'restart_app', 'reboot', 'push_prices', 'push_planogram', 'push_template',
    'set_thermostat', 'lock_slot', 'unlock_slot', 'stop_sale', 'resume_sale', 'open_door', 'upload_snapshot',
    'upload_log', 'upload_photo', 'update_app', 'rollback_app', 'set_volume_or_screen', 'push_ads', 'recall_batch',
    'set_license_mode')),
  data jsonb not null,
  state text not null default 'queued'
    check (state in ('queued', 'sent', 'received', 'done', 'failed', 'refused', 'expired', 'cancelled')),
  reason text,
  detail text,
  created_by bigint references app_user,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz,
  received_at timestamptz,
  finished_at timestamptz,
  batch_id uuid references command_batch,
  -- What the machine says of what it did, e.g. the parts of a self-check.
  result jsonb,
  seq bigint generated always as identity,
  -- What the machine said of a command that was already cancelled, expired or given up: it did it anyway, or not.
  late_state text check (late_state in ('received', 'done', 'failed', 'refused')),
  check (length(result::text) <= 65536)
);
create index device_command_waiting on device_command (machine_id, created_at) where state in ('queued', 'sent');
create index device_command_machine on device_command (machine_id, created_at desc);
-- Commands end within days; orders keep what they came to. By age they are forgotten like the messages.
create index device_command_age on device_command using brin (created_at);
create index device_command_batch on device_command (batch_id) where batch_id is not null;
create unique index device_command_seq on device_command (seq);
create index device_command_queued on device_command (seq) where state = 'queued';
create index device_command_open on device_command (expires_at) where state in ('queued', 'sent', 'received');
create index device_command_people on device_command (seq) where created_by is not null;
-- A stop or a start that its machine was too long away to hear of is found again when it is back.
create index device_command_operation on device_command (machine_id, seq desc)
  where type in ('stop_sale', 'resume_sale');
-- Machines that fail at what they are asked, of late.
create index device_command_failed on device_command (finished_at) where state in ('failed', 'refused');

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

-- Software that machines may be given, and its way to them in waves.
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
