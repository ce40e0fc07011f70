-- What is wrong with machines, what has begun and not lasted yet, and what a silence costs.

-- What is wrong with a machine: one row for each cause, from its beginning to its end.
create table alarm (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine on delete cascade,
  cause text not null check (length(cause) between 1 and 40),
  slot_code text not null default '' check (length(slot_code) <= 12),
  level text not null check (level in ('notice', 'warning', 'critical')),
  state text not null default 'open' check (state in ('open', 'acknowledged', 'assigned', 'closed')),
  -- Figures that the words of the cause name.
  facts jsonb not null default '{}',
  opened_at timestamptz not null,
  -- When it was last seen to hold, and how often it was said.
  seen_at timestamptz not null,
  count int not null default 1 check (count >= 1),
  acknowledged_by bigint references app_user on delete set null,
  acknowledged_at timestamptz,
  assignee_id bigint references app_user on delete set null,
  closed_at timestamptz,
  -- Null for a rule, which saw the cause end.
  closed_by bigint references app_user on delete set null,
  closed_note text not null default '' check (length(closed_note) <= 200),
  version int not null default 1,
  -- Of the machine or slot that it stops, an hour, when it was opened; null where nothing is known or nothing stops.
  usual_fen_hour bigint check (usual_fen_hour >= 0),
  -- When people were told of it; null while they are to be.
  told_at timestamptz,
  -- Which work is on its way for it; the newest one.
  repair_order_id bigint,
  check ((state = 'closed') = (closed_at is not null)),
  check (state <> 'assigned' or assignee_id is not null)
);
create unique index alarm_lasting on alarm (machine_id, cause, slot_code) where state <> 'closed';
create index alarm_machine on alarm (machine_id, opened_at desc);
create index alarm_open on alarm (cause, opened_at desc) where state <> 'closed';
create index alarm_newest on alarm (opened_at desc, id desc);
create index alarm_untold on alarm (id) where told_at is null and state <> 'closed';
create index alarm_assignee on alarm (assignee_id) where state <> 'closed';
create index alarm_repair_order on alarm (repair_order_id) where repair_order_id is not null;

-- The verbs of people; that it was opened and last seen stands in its own row.
create table alarm_event (
  id bigint generated always as identity primary key,
  alarm_id bigint not null references alarm on delete cascade,
  at timestamptz not null,
  verb text not null check (verb in ('acknowledge', 'assign', 'close', 'repair')),
  user_id bigint references app_user on delete set null,
  -- To whom, for `assign`.
  assignee_id bigint references app_user on delete set null,
  note text not null default '' check (length(note) <= 200)
);
create index alarm_event_alarm on alarm_event (alarm_id, id);

-- A condition that began and becomes an alarm only when it lasts.
create table alarm_pending (
  machine_id bigint not null references machine on delete cascade,
  cause text not null,
  slot_code text not null default '',
  since timestamptz not null,
  primary key (machine_id, cause, slot_code)
);

-- When empty slots are an alarm. The most special holds: machine, point, merchant, the nearest merchant above.
create table stock_alarm_rule (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  point_id bigint references point on delete cascade,
  machine_id bigint references machine on delete cascade,
  -- As many empty slots are an alarm; 0 is never.
  empty int not null check (empty between 0 and 400),
  -- Of so many, as in 5 of 60; null counts the empty ones whatever the size of the machine.
  of_slots int check (of_slots between 1 and 400),
  version int not null default 1,
  updated_at timestamptz not null,
  check (num_nonnulls(point_id, machine_id) <= 1),
  check (of_slots is null or empty <= of_slots),
  unique nulls not distinct (merchant_id, point_id, machine_id)
);
create unique index stock_alarm_rule_machine on stock_alarm_rule (machine_id) where machine_id is not null;
create unique index stock_alarm_rule_point on stock_alarm_rule (point_id) where point_id is not null;

-- What machines and slots usually sell: the last 28 whole days, made each night from rollups and order items.
create table usual_day (
  machine_id bigint not null references machine on delete cascade,
  -- ISO: 1 is Monday.
  weekday smallint not null check (weekday between 1 and 7),
  orders real not null,
  paid_fen bigint not null,
  primary key (machine_id, weekday)
);

-- How a merchant's day is spread over its hours.
create table usual_hour (
  merchant_id bigint not null references merchant on delete cascade,
  weekday smallint not null check (weekday between 1 and 7),
  hour smallint not null check (hour between 0 and 23),
  share real not null,
  primary key (merchant_id, weekday, hour)
);

create table usual_slot (
  slot_id bigint primary key references slot on delete cascade,
  fen_hour bigint not null
);
