-- What alarms need beyond their row: what a silence costs, what happened, what has begun and not lasted yet.

alter table alarm
  -- Of the machine or slot that it stops, an hour, when it was opened; null where nothing is known or nothing stops.
  add column usual_fen_hour bigint check (usual_fen_hour >= 0),
  -- When people were told of it; null while they are to be.
  add column told_at timestamptz;
create index alarm_untold on alarm (id) where told_at is null and state <> 'closed';
create index alarm_assignee on alarm (assignee_id) where state <> 'closed';

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

insert into message_type (code, name, title, body, variables, channels, can_wait, is_system, is_required) values
  ('alarm.stock',
    '{"zh": "缺货报警", "en": "Out-of-stock alarm", "fr": "Alarme de rupture de stock", "ko": "품절 경보"}',
    '{"zh": "{{machine}}：{{condition}}", "en": "{{machine}}: {{condition}}", "fr": "{{machine}} : {{condition}}", "ko": "{{machine}}: {{condition}}"}',
    '{"zh": "机器 {{machine}} 于 {{at}} 缺货报警：{{condition}}。", "en": "Machine {{machine}} raised an out-of-stock alarm at {{at}}: {{condition}}.", "fr": "La machine {{machine}} a signalé une rupture à {{at}} : {{condition}}.", "ko": "기기 {{machine}}에서 {{at}}에 품절 경보가 발생했습니다: {{condition}}."}',
    '{machine,condition,at}', '{web}', true, true, false);
