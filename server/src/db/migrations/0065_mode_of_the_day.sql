-- Under which mode the money of a channel's day was collected stands with the day: its account may be another later.
-- The channel's is that of its account now.
alter table settlement_run
  add column funds_mode text check (funds_mode in ('direct', 'profit_share', 'custody', 'demo'));
update settlement_run r set funds_mode = c.funds_mode from settlement_channel c where c.id = r.channel_id;
alter table settlement_run alter column funds_mode set not null;

-- A day that is opened without saying is under the mode of its channel; one that is closed stays as it was settled.
create function settlement_run_mode() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.funds_mode := coalesce(new.funds_mode,
      (select funds_mode from settlement_channel where id = new.channel_id));
  elsif old.state = 'closed' then
    raise exception 'settlement run % is closed', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger settlement_run_mode_new before insert on settlement_run
  for each row when (new.funds_mode is null) execute function settlement_run_mode();
create trigger settlement_run_mode_kept before update of funds_mode on settlement_run
  for each row when (new.funds_mode is distinct from old.funds_mode) execute function settlement_run_mode();
