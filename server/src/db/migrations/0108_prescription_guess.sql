-- Machines at which prescriptions are asked for that nobody wrote; as pickup_guess does for codes.
create table prescription_guess (
  machine_id bigint primary key references machine on delete cascade,
  misses int not null check (misses >= 0),
  window_ends_at timestamptz not null,
  blocked_until timestamptz,
  blocks int not null default 0,
  last_at timestamptz not null
) with (fillfactor = 60);
