-- What machines show of the questions for customers: one list for all of them, each version as it went out.
create table question_list (
  version int primary key check (version > 0),
  sha256 text not null,
  body text not null,
  faq_ids bigint[] not null,
  made_at timestamptz not null
);

-- Which of them a machine was told, and which it says that it shows.
create table machine_questions (
  machine_id bigint primary key references machine on delete cascade,
  version int not null references question_list,
  command_id uuid not null,
  asked_at timestamptz not null,
  reported_version int check (reported_version between 1 and version)
);
create index machine_questions_reported on machine_questions (reported_version);
create index machine_questions_version on machine_questions (version);

alter table device_command drop constraint device_command_type_check;
alter table device_command add constraint device_command_type_check check (type in (
  'ship', 'test_vend', 'self_check', 'restart_app', 'reboot', 'push_prices', 'push_planogram', 'push_template',
  'set_thermostat', 'lock_slot', 'unlock_slot', 'stop_sale', 'resume_sale', 'open_door', 'upload_snapshot',
  'upload_log', 'upload_photo', 'update_app', 'rollback_app', 'set_volume_or_screen', 'push_ads', 'push_questions',
  'recall_batch', 'set_license_mode', 'set_flags'));
