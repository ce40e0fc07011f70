-- What a machine was last told of its slots is found without reading all that it was ever told.
create index device_command_slots on device_command (machine_id, seq desc)
  where type in ('recall_batch', 'lock_slot', 'unlock_slot');
