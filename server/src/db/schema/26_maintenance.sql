-- Work on machines: orders from alarms, by hand or by plan, with what was used and what it cost.

-- Work that comes again, after days or after orders.
create table repair_plan (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine on delete cascade,
  name text not null check (length(name) between 1 and 60),
  every_days int check (every_days between 1 and 3650),
  every_orders int check (every_orders between 1 and 1000000),
  -- Counted from here: the day it was last done, or the plan's beginning.
  since date not null,
  version int not null default 1,
  created_at timestamptz not null,
  check (num_nonnulls(every_days, every_orders) >= 1),
  unique (machine_id, name)
);
create index repair_plan_merchant on repair_plan (merchant_id);

-- One piece of work, from when it was asked for to its end.
create table repair_order (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine on delete cascade,
  plan_id bigint references repair_plan on delete set null,
  source text not null check (source in ('alarm', 'person', 'plan')),
  kind text not null check (kind in ('repair', 'maintenance')),
  problem text not null check (length(problem) between 1 and 200),
  -- What was done, for the one who closes it and for the next time.
  solution text not null default '' check (length(solution) <= 500),
  slots text[] not null default '{}' check (cardinality(slots) <= 60),
  pictures text[] not null default '{}' check (cardinality(pictures) <= 5),
  state text not null default 'open'
    check (state in ('open', 'assigned', 'in_progress', 'done', 'closed', 'cancelled')),
  assignee_id bigint references app_user on delete set null,
  due_on date,
  created_by bigint references app_user on delete set null,
  created_at timestamptz not null,
  started_at timestamptz,
  done_at timestamptz,
  closed_at timestamptz,
  -- Why it was cancelled.
  cancel_reason text not null default '' check (length(cancel_reason) <= 200),
  version int not null default 1,
  check (state <> 'assigned' or assignee_id is not null),
  check (state not in ('in_progress', 'done') or started_at is not null),
  check (state not in ('done') or done_at is not null),
  check ((state in ('closed', 'cancelled')) = (closed_at is not null))
);
create index repair_order_machine on repair_order (machine_id, id desc);
create index repair_order_assignee on repair_order (assignee_id) where closed_at is null;
create index repair_order_lasting on repair_order (due_on, id) where closed_at is null;
create unique index repair_order_plan on repair_order (plan_id) where plan_id is not null and closed_at is null;

create table repair_event (
  id bigint generated always as identity primary key,
  order_id bigint not null references repair_order on delete cascade,
  at timestamptz not null,
  verb text not null,
  user_id bigint references app_user on delete set null,
  note text not null default '' check (length(note) <= 500)
);
create index repair_event_order on repair_event (order_id, id);

create table repair_part (
  id bigint generated always as identity primary key,
  order_id bigint not null references repair_order on delete cascade,
  name text not null check (length(name) between 1 and 60),
  quantity int not null check (quantity between 1 and 999),
  -- Of one.
  cost_fen bigint not null check (cost_fen between 0 and 100000000),
  added_by bigint references app_user on delete set null,
  added_at timestamptz not null
);
create index repair_part_order on repair_part (order_id);

-- What stands in an earlier file and refers to this one.
alter table alarm add foreign key (repair_order_id) references repair_order on delete set null;
