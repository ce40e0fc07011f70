-- A retired machine keeps its licence mode, also of a merchant that has given its pharmacy up: what is asked is that no
-- machine in service has one there. So it is asked when a machine comes back, too.
create or replace function machine_needs_pharmacy() returns trigger language plpgsql as $$
begin
  if new.licence_mode <> 'none' and new.retired_at is null
    and not (select has_pharmacy from merchant where id = new.merchant_id for share) then
    raise exception 'merchant % has no pharmacy', new.merchant_id
      using errcode = 'check_violation', constraint = 'machine_pharmacy';
  end if;
  return new;
end $$;
create or replace trigger machine_needs_pharmacy before insert or update of licence_mode, merchant_id, retired_at
  on machine for each row execute function machine_needs_pharmacy();
