-- Whether a machine sells, by its own word, beside what holds here: a stop that nobody heard is only wanted.
alter table machine add column operation_told text check (operation_told in ('in_operation', 'stopped'));
update machine m set operation_told = coalesce(
  (select case c.type when 'stop_sale' then 'stopped' else 'in_operation' end from device_command c
    where c.machine_id = m.id and c.type in ('stop_sale', 'resume_sale') and 'done' in (c.state, c.late_state)
    order by c.seq desc limit 1),
  -- Asked, and never answered for: it sells as it was made. Never asked: it goes by what holds.
  case when exists (select 1 from device_command c where c.machine_id = m.id and c.type = 'stop_sale')
    then 'in_operation' else m.operation end);
-- A machine that is made is installed with the mode and the choice that it was made with.
create or replace function machine_mode_told() returns trigger language plpgsql as $$
begin
  new.licence_mode_told := coalesce(new.licence_mode_told, new.licence_mode);
  new.operation_told := coalesce(new.operation_told, new.operation);
  return new;
end $$;
alter table machine alter column operation_told set not null;

-- What is shown of it: nothing claims that a machine stopped, or sells again, until it said so.
create function operation_shown(m machine, c merchant) returns text language sql immutable as $$
  select case when m.retired_at is not null then 'stopped'
    when operation_of(m, c) = m.operation_told then m.operation_told
    when operation_of(m, c) = 'stopped' then 'stop_wanted'
    else 'resume_wanted' end
$$;
