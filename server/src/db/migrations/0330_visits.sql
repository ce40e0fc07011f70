-- What the phone of a replenisher says of a stop of a tour, step by step, often hours later.

create table visit (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  order_id bigint not null,
  machine_id bigint not null,
  state text not null default 'open' check (state in ('open', 'done')),
  opened_at timestamptz not null,
  done_at timestamptz,
  -- The newest count that its steps are in.
  count_id bigint references stock_count,
  unique (order_id, machine_id),
  foreign key (order_id, machine_id) references replenishment_stop (order_id, machine_id),
  check ((state = 'done') = (done_at is not null)),
  check (done_at >= opened_at)
);
create index visit_machine on visit (machine_id);
create index visit_count on visit (count_id) where count_id is not null;

create table visit_step (
  id bigint generated always as identity primary key,
  -- Named by the phone that made it.
  uuid uuid not null unique,
  visit_id bigint not null references visit,
  phone uuid not null,
  seq int not null check (seq between 1 and 9999),
  kind text not null check (kind in ('open', 'photo', 'count', 'takeOut', 'fill', 'fault', 'done')),
  said jsonb not null,
  user_id bigint not null references app_user,
  who text not null,
  -- As the phone's clock had it; when it really was; when it was heard.
  occurred_at timestamptz not null,
  at timestamptz not null,
  heard_at timestamptz not null,
  answer text not null check (answer in ('applied', 'needsReview', 'refused')),
  reason text check (length(reason) <= 80),
  differs jsonb not null default '[]' check (jsonb_typeof(differs) = 'array'),
  -- Whether goods moved, or what else follows from it was done.
  is_booked boolean not null,
  unique (visit_id, phone, seq),
  check (at <= heard_at),
  check ((answer = 'refused') = (reason is not null)),
  check (answer <> 'refused' or not is_booked),
  check (answer <> 'applied' or is_booked),
  check ((answer = 'needsReview') = (differs <> '[]'))
);
create index visit_step_asks on visit_step (visit_id) where answer <> 'applied';
create index visit_step_user on visit_step (user_id);
create trigger visit_step_kept before update or delete on visit_step
  for each statement execute function facts_are_kept();

create table visit_decision (
  step_id bigint primary key references visit_step,
  verb text not null check (verb in ('keep', 'book', 'drop')),
  user_id bigint not null references app_user,
  decider text not null,
  decided_at timestamptz not null,
  note text not null default '' check (length(note) <= 200)
);
create index visit_decision_user on visit_decision (user_id);
create trigger visit_decision_kept before update or delete on visit_decision
  for each statement execute function facts_are_kept();

-- A fill that both the machine and a phone tell of is one: of each slot and product of a service, the larger of the two
-- sums is what was put in.
create table fill_said (
  service_id bigint not null references bag_service on delete cascade,
  place_id bigint not null references place,
  product_id bigint not null references product,
  by_machine int not null default 0 check (by_machine >= 0),
  by_phone int not null default 0 check (by_phone >= 0),
  primary key (service_id, place_id, product_id)
);
create index fill_said_place on fill_said (place_id);
create index fill_said_product on fill_said (product_id);

select keep_facts_from_truncate();
