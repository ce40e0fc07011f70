-- What lists of machines are ordered and found by, so that fifty thousand of them cost what a page does.

alter table machine_state
  -- Copies of the machine's own limits, so that what follows stands in one row.
  add column temperature_min_c real,
  add column temperature_max_c real;
alter table machine_state
  -- The worse, the lower. Silence without a last word is seen by a job (fleet.noteSilence), so this may lag a minute;
  -- what a list says of a machine is worked out when it is asked.
  add column worst int generated always as (-(
    case when cardinality(faults) > 0 then 32000 else 0 end
    + case when temperature_c < temperature_min_c or temperature_c > temperature_max_c then 16000 else 0 end
    + case when last_seen_at is null then 4000 when not is_connected then 8000 else 0 end
    + case when low_change then 2000 else 0 end
    + least(empty_slots * 10 + low_slots, 1999))) stored;
create index machine_state_worst on machine_state (worst, machine_id);
create index machine_name on machine (name, id);
create index machine_retired on machine (retired_at) where retired_at is not null;

create function machine_limits_new() returns trigger language plpgsql as $$
begin
  select m.temperature_min_c, m.temperature_max_c into new.temperature_min_c, new.temperature_max_c
  from machine m where m.id = new.machine_id;
  return new;
end $$;
create trigger machine_limits_new before insert on machine_state
  for each row execute function machine_limits_new();

create function machine_limits_changed() returns trigger language plpgsql as $$
begin
  update machine_state set temperature_min_c = new.temperature_min_c, temperature_max_c = new.temperature_max_c
  where machine_id = new.id;
  return null;
end $$;
create trigger machine_limits_changed after update of temperature_min_c, temperature_max_c on machine
  for each row when (old.temperature_min_c is distinct from new.temperature_min_c
    or old.temperature_max_c is distinct from new.temperature_max_c)
  execute function machine_limits_changed();

update machine_state s set temperature_min_c = m.temperature_min_c, temperature_max_c = m.temperature_max_c
from machine m where m.id = s.machine_id;

-- The thermostat as the machine was last told; where it differs from the wanted one, a command is owed.
alter table machine add column thermostat_told jsonb;
update machine set thermostat_told = thermostat;

alter table machine
  add constraint machine_temperature check (temperature_min_c < temperature_max_c),
  add constraint machine_humidity check (humidity_min < humidity_max);

-- A slot that nobody gave a product is no stock-out: nothing is missing from it.
create or replace function recount_slots(machines bigint[]) returns void language sql as $$
  update machine_state set slot_count = c.slots, empty_slots = c.empty, low_slots = c.low
  from (
    select s.machine_id, count(*) as slots,
      count(*) filter (where s.product_id is not null and coalesce(l.quantity, 0) <= 0) as empty,
      count(*) filter (where coalesce(l.quantity, 0) between 1 and s.alarm_threshold) as low
    from slot s left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where s.machine_id = any(machines) group by s.machine_id
  ) c
  where machine_state.machine_id = c.machine_id
$$;
