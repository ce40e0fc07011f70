-- What should be ordered, by what machines sell while they are not empty, and how right that forecast was.

create table purchase_plan (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  no text not null check (length(no) <= 40),
  warehouse_id bigint not null,
  state text not null default 'proposed' check (state in ('proposed', 'ordered', 'discarded')),
  -- The first day that is forecast.
  from_on date not null,
  horizon_days int not null check (horizon_days between 1 and 60),
  cover_days int not null check (cover_days between 1 and 30),
  -- Whether whoever made it may look at medicine; else it was left out.
  has_medicine boolean not null,
  machines int not null check (machines > 0),
  slots int not null check (slots > 0),
  note text not null default '' check (length(note) <= 200),
  made_by bigint references app_user on delete set null,
  maker text not null,
  made_at timestamptz not null,
  ender text,
  ended_at timestamptz,
  end_reason text not null default '' check (length(end_reason) <= 200),
  -- Through which day it was compared with what was sold; anew while sales of those days may still be told.
  measured_to date,
  error_permille int check (error_permille >= 0),
  bias_permille int,
  version int not null default 1,
  unique (merchant_id, no),
  foreign key (warehouse_id, merchant_id) references warehouse (id, merchant_id),
  check ((state = 'proposed') = (ended_at is null)),
  check (measured_to >= from_on),
  check ((error_permille is null) = (bias_permille is null))
);
create index purchase_plan_merchant on purchase_plan (merchant_id, id);
create index purchase_plan_from on purchase_plan (from_on);

create table purchase_plan_line (
  id bigint generated always as identity primary key,
  plan_id bigint not null references purchase_plan,
  product_id bigint not null references product,
  machines int not null check (machines > 0),
  slots int not null check (slots > 0),
  -- Pieces that all machines together sell on each day of the week, Monday first.
  weekday real[] not null check (cardinality(weekday) = 7),
  -- The plan's days, and those until the goods come.
  need_days int not null check (need_days > 0),
  forecast real not null check (forecast >= 0),
  -- What nine out of ten such times stay below, beyond the forecast.
  safety int not null check (safety >= 0),
  -- What slots should hold in the end, to sell until somebody comes.
  slot_target int not null check (slot_target >= 0),
  in_slots int not null check (in_slots >= 0),
  in_store int not null check (in_store >= 0),
  in_bags int not null check (in_bags >= 0),
  coming int not null check (coming >= 0),
  unusable int not null check (unusable >= 0),
  hindrance text check (hindrance in ('noSupplier', 'noPrice', 'papers', 'notQualified', 'scope', 'storage')),
  supplier_product_id bigint references supplier_product,
  pack_units int check (pack_units > 0),
  price_fen bigint check (price_fen > 0),
  proposed_packs int not null check (proposed_packs >= 0),
  packs int not null check (packs between 0 and 100000),
  -- Pieces that are missing, whoever could deliver them.
  short int not null check (short >= 0),
  changed_by bigint references app_user on delete set null,
  changer text,
  changed_at timestamptz,
  order_id bigint references purchase_order,
  version int not null default 1,
  sold int check (sold >= 0),
  forecast_then real check (forecast_then >= 0),
  stocked_permille int check (stocked_permille between 0 and 1000),
  unique (plan_id, product_id),
  check ((supplier_product_id is null) = (pack_units is null)),
  check (packs = 0 or (supplier_product_id is not null and hindrance is null)),
  check ((changer is null) = (changed_at is null)),
  check (order_id is null or packs > 0),
  check ((sold is null) = (forecast_then is null) and (sold is null) = (stocked_permille is null))
);
create index purchase_plan_line_product on purchase_plan_line (product_id);
create index purchase_plan_line_supplier_product on purchase_plan_line (supplier_product_id);
create index purchase_plan_line_order on purchase_plan_line (order_id) where order_id is not null;

-- The machines that need most of it; those that need little are in the line's sums alone.
create table purchase_plan_machine (
  line_id bigint not null references purchase_plan_line on delete cascade,
  machine_id bigint not null references machine on delete cascade,
  slots int not null check (slots > 0),
  per_day real not null check (per_day >= 0),
  forecast real not null check (forecast >= 0),
  there int not null check (there >= 0),
  slot_target int not null check (slot_target >= 0),
  primary key (line_id, machine_id)
);
create index purchase_plan_machine_machine on purchase_plan_machine (machine_id);

-- What is ordered and not here yet.
create index purchase_order_coming on purchase_order (merchant_id)
  where state not in ('received', 'closed', 'cancelled');
