-- What a machine does after a jam, and between payment and goods, is told to it; here beside what holds is what it last
-- took over, by its own word. Until it was told it does neither.
alter table machine add column flags_told jsonb not null
  default '{"shipsAfterJam": false, "shipsDirectly": false}';
alter table device_command drop constraint device_command_type_check;
alter table device_command add constraint device_command_type_check check (type in (
  'ship', 'test_vend', 'self_check', 'restart_app', 'reboot', 'push_prices', 'push_planogram', 'push_template',
  'set_thermostat', 'lock_slot', 'unlock_slot', 'stop_sale', 'resume_sale', 'open_door', 'upload_snapshot',
  'upload_log', 'upload_photo', 'update_app', 'rollback_app', 'set_volume_or_screen', 'push_ads',
  'recall_batch', 'set_license_mode', 'set_flags'));
