-- What a replenisher takes along to which machines, and why; how it went follows from what the machines say.

create table replenishment_order (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  no text not null check (length(no) <= 40),
  route_id bigint references route on delete set null,
  warehouse_id bigint not null,
  user_id bigint references app_user on delete set null,
  replenisher text not null,
  -- Until the next visit: for so many days it has to last.
  cover_days int not null check (cover_days between 1 and 30),
  state text not null default 'draft'
    check (state in ('draft', 'released', 'loading', 'underWay', 'done', 'cancelled')),
  note text not null default '' check (length(note) <= 200),
  outbound_id bigint unique,
  maker text not null,
  made_at timestamptz not null,
  started_at timestamptz,
  ender text,
  ended_at timestamptz,
  end_reason text not null default '' check (length(end_reason) <= 200),
  version int not null default 1,
  unique (merchant_id, no),
  foreign key (warehouse_id, merchant_id) references warehouse (id, merchant_id),
  foreign key (outbound_id, merchant_id) references outbound_order (id, merchant_id),
  check ((state in ('done', 'cancelled')) = (ended_at is not null)),
  check (state not in ('underWay', 'done') or (started_at is not null and outbound_id is not null))
);
create index replenishment_order_merchant on replenishment_order (merchant_id, id);
create index replenishment_order_route on replenishment_order (route_id) where route_id is not null;

create table replenishment_stop (
  order_id bigint not null references replenishment_order,
  machine_id bigint not null references machine on delete cascade,
  position int not null,
  primary key (order_id, machine_id)
);
create index replenishment_stop_machine on replenishment_stop (machine_id);

-- As it stood when the order was written; what is to be brought may be changed while it is a draft.
create table replenishment_line (
  order_id bigint not null,
  machine_id bigint not null,
  slot_id bigint not null references slot on delete cascade,
  product_id bigint not null references product,
  there int not null,
  capacity int not null check (capacity >= 0),
  -- Pieces that are not to be sold any more, or not until the next visit.
  take_out int not null default 0 check (take_out >= 0),
  bring int not null check (bring between 0 and 999),
  reason text not null check (reason in ('newProduct', 'empty', 'expiring', 'belowAlarm', 'sellsOut')),
  -- Pieces a hundred days that it sells while it is not empty.
  per_hundred_days int not null check (per_hundred_days >= 0),
  -- What would not be sold until the next visit.
  stake_fen bigint not null check (stake_fen >= 0),
  primary key (order_id, slot_id),
  foreign key (order_id, machine_id) references replenishment_stop (order_id, machine_id) on delete cascade
);
create index replenishment_line_slot on replenishment_line (slot_id);
