-- How faults of machines are solved, and whether it helped: each says so once of a solution in a case.
create table solution (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 80),
  cause text not null check (length(cause) between 1 and 40),
  code text not null default '' check (length(code) <= 40),
  model text not null default '' check (length(model) <= 60),
  symptom text not null default '' check (length(symptom) <= 300),
  steps text not null check (length(steps) between 1 and 4000),
  -- Pinyin and initials of its name.
  sound text not null default '',
  state text not null default 'active' check (state in ('active', 'stopped')),
  created_at timestamptz not null,
  version int not null default 1,
  unique (name)
);
create index solution_cause on solution (cause);
create index solution_search on solution using gin (search_keys(name, symptom, code, sound));

create table solution_verdict (
  solution_id bigint not null references solution,
  case_kind text not null check (case_kind in ('alarm', 'repairOrder', 'feedback')),
  case_id bigint not null,
  user_id bigint not null references app_user,
  helped boolean not null,
  at timestamptz not null,
  primary key (solution_id, case_kind, case_id, user_id)
);
create index solution_verdict_user on solution_verdict (user_id);
create trigger solution_verdict_kept before update or delete on solution_verdict
  for each statement execute function facts_are_kept();
select keep_facts_from_truncate();
