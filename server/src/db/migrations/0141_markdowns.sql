-- Lower prices for products or batches at machines, what slots they hold for, and the steps of a price in an order.

create table markdown (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  product_id bigint not null references product,
  batch_id bigint references medicine_batch,
  paid_percent smallint not null check (paid_percent between 1 and 99),
  state text not null default 'planned' check (state in ('planned', 'active', 'ended', 'stopped')),
  -- All of the merchant's, or those that markdown_machine names.
  is_everywhere boolean not null,
  starts_at timestamptz not null,
  ends_at timestamptz,
  reason text not null default '' check (length(reason) <= 200),
  created_by bigint references app_user on delete set null,
  created_at timestamptz not null,
  ended_at timestamptz,
  version int not null default 1,
  check (ends_at > starts_at),
  check ((state in ('ended', 'stopped')) = (ended_at is not null))
);
create index markdown_lasting on markdown (state, starts_at) where state in ('planned', 'active');
create index markdown_merchant on markdown (merchant_id, id);
create index markdown_product on markdown (product_id);
create index markdown_batch on markdown (batch_id) where batch_id is not null;

create table markdown_machine (
  markdown_id bigint not null references markdown on delete cascade,
  machine_id bigint not null references machine,
  primary key (markdown_id, machine_id)
);
create index markdown_machine_machine on markdown_machine (machine_id);

-- When a slot sold at it. Of several that fit one holds: they do not add up.
create table markdown_slot (
  id bigint generated always as identity primary key,
  markdown_id bigint not null references markdown on delete cascade,
  slot_id bigint not null references slot,
  struck_fen bigint check (struck_fen > 0),
  began_at timestamptz not null,
  ended_at timestamptz check (ended_at >= began_at)
);
create unique index markdown_slot_lasting on markdown_slot (slot_id) where ended_at is null;
create index markdown_slot_markdown on markdown_slot (markdown_id, id);
create index markdown_slot_slot on markdown_slot (slot_id, began_at);

-- What a slot asks for at a markdown: half up to the fen, never nothing.
create function marked_down_fen(list_fen bigint, paid_percent int) returns bigint language sql immutable as $$
  select greatest(1, (list_fen * paid_percent + 50) / 100)
$$;

-- How the price of an item came about, step by step from what its slot asks; items without any have none.
create table order_price_step (
  order_id bigint not null,
  index smallint not null,
  step smallint not null,
  kind text not null check (kind in ('markdown', 'combination')),
  -- Of what lowered it, among its kind.
  reference bigint not null,
  before_fen bigint not null check (before_fen >= 0),
  after_fen bigint not null check (after_fen between 0 and before_fen),
  reason text not null check (length(reason) <= 200),
  primary key (order_id, index, step)
);
create index order_price_step_reference on order_price_step (kind, reference);
create trigger order_price_step_kept before update or delete on order_price_step
  for each statement execute function facts_are_kept();
create trigger order_price_step_not_emptied before truncate on order_price_step
  for each statement execute function facts_are_kept();
