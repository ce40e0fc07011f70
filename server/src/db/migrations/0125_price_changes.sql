-- Many prices changed at once, as a document: what is meant, what each slot would cost, what came of it, the way back.

create table price_change (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  state text not null default 'draft'
    check (state in ('draft', 'applying', 'applied', 'undoing', 'undone', 'discarded')),
  rule text not null check (rule in ('set', 'raise', 'cut', 'raisePercent', 'cutPercent')),
  amount_fen bigint check (amount_fen between 1 and 10000000),
  percent int check (percent between 1 and 500),
  round_to text not null check (round_to in ('fen', 'jiao', 'half')),
  scope text not null check (scope in ('all', 'group', 'route', 'machines')),
  scope_name text not null default '',
  -- The first few by name, and how many in all.
  products text not null,
  product_count int not null,
  changes_products boolean not null,
  reason text not null check (length(reason) between 2 and 200),
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  applied_by bigint references app_user,
  applied_at timestamptz,
  undone_by bigint references app_user,
  undone_at timestamptz,
  version int not null default 1,
  check ((rule in ('set', 'raise', 'cut')) = (amount_fen is not null)),
  check ((rule in ('raisePercent', 'cutPercent')) = (percent is not null))
);
create index price_change_list on price_change (merchant_id, id desc);

create table price_change_machine (
  change_id bigint not null references price_change on delete cascade,
  machine_id bigint not null references machine on delete cascade,
  -- Told to it when the prices were set, and when they were taken back.
  set_command uuid,
  undo_command uuid,
  -- Its turn has not come yet.
  is_waiting boolean not null default false,
  primary key (change_id, machine_id)
);
create index price_change_machine_machine on price_change_machine (machine_id);
create index price_change_machine_waiting on price_change_machine (change_id, machine_id) where is_waiting;

create table price_change_slot (
  id bigint generated always as identity primary key,
  change_id bigint not null references price_change on delete cascade,
  machine_id bigint not null references machine on delete cascade,
  slot_id bigint not null references slot on delete cascade,
  slot_code text not null,
  product_id bigint not null references product on delete cascade,
  -- As it was read; the slot is changed only while it still is.
  before_fen bigint,
  after_fen bigint,
  state text not null default 'planned' check (state in ('planned', 'skipped', 'set', 'undone', 'kept')),
  -- Why it is not changed, or not taken back.
  why text check (why in ('same', 'unlawful', 'machineUnlawful', 'offline', 'noPrice', 'tooLow', 'tooHigh', 'meanwhile',
    'unseen')),
  unique (change_id, slot_id),
  check (state <> 'planned' or after_fen is not null)
);
create index price_change_slot_machine on price_change_slot (change_id, machine_id);
create index price_change_slot_slot on price_change_slot (slot_id);
create index price_change_slot_product on price_change_slot (product_id);
create index price_change_slot_of_machine on price_change_slot (machine_id);

create table price_change_product (
  change_id bigint not null references price_change on delete cascade,
  product_id bigint not null references product on delete cascade,
  before_fen bigint not null,
  after_fen bigint not null,
  state text not null default 'planned' check (state in ('planned', 'skipped', 'set', 'undone', 'kept')),
  primary key (change_id, product_id)
);
create index price_change_product_product on price_change_product (product_id);
