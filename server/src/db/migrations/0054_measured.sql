-- What was measured has an age of its own: heartbeats without a probe's value, and records that came beside them, said
-- nothing of how old the value in sight is, and the air's moisture never came into sight at all.

alter table machine_state
  add column temperature_at timestamptz,
  add column humidity_at timestamptz;
update machine_state set temperature_at = coalesce(beat_at, last_seen_at) where temperature_c is not null;

-- A stop or a start that its machine was too long away to hear of is found again when it is back.
create index device_command_operation on device_command (machine_id, seq desc)
  where type in ('stop_sale', 'resume_sale');
-- Machines that fail at what they are asked, of late.
create index device_command_failed on device_command (finished_at) where state in ('failed', 'refused');
