-- Commands that expired before machines' own word counted left them down as told. Of whoever was ever sent a setting
-- only what it took over last counts; whoever took none over is asked when it is there.

update machine m set licence_mode_told = coalesce((
  select c.data ->> 'mode' from device_command c
  where c.machine_id = m.id and c.type = 'set_license_mode' and 'done' in (c.state, c.late_state)
  order by c.seq desc limit 1), '')
where exists (select 1 from device_command c where c.machine_id = m.id and c.type = 'set_license_mode');

create temporary view thermostat_sent as
select machine_id, seq, 'done' in (state, late_state) as is_done,
  case type when 'set_thermostat' then data else data #> '{settings,thermostat}' end as data
from device_command
where type = 'set_thermostat' or type = 'push_template' and data #> '{settings,thermostat}' is not null;

update machine m set thermostat_told = (
  select c.data from thermostat_sent c where c.machine_id = m.id and c.is_done order by c.seq desc limit 1)
where exists (select 1 from thermostat_sent c where c.machine_id = m.id);

drop view thermostat_sent;
