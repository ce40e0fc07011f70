-- A merchant's functions do what their words say. Who sold is charged for it on, and who has machines for medicine
-- keeps them: until now nothing asked.
alter table merchant alter column has_shopping set default true;
alter table merchant alter column has_pharmacy set default true;
update merchant set has_shopping = true where not has_shopping;
update merchant c set has_pharmacy = true where not has_pharmacy
  and exists (select from machine m where m.merchant_id = c.id and m.licence_mode <> 'none');

-- Machines of a merchant without a pharmacy sell no medicine.
create function machine_needs_pharmacy() returns trigger language plpgsql as $$
begin
  if new.licence_mode <> 'none' and not (select has_pharmacy from merchant where id = new.merchant_id for share) then
    raise exception 'merchant % has no pharmacy', new.merchant_id
      using errcode = 'check_violation', constraint = 'machine_pharmacy';
  end if;
  return new;
end $$;
create trigger machine_needs_pharmacy before insert or update of licence_mode, merchant_id on machine
  for each row execute function machine_needs_pharmacy();

create function merchant_keeps_pharmacy() returns trigger language plpgsql as $$
begin
  if exists (select from machine where merchant_id = new.id and licence_mode <> 'none' and retired_at is null) then
    raise exception 'machines of merchant % sell medicine', new.id
      using errcode = 'check_violation', constraint = 'merchant_pharmacy';
  end if;
  return new;
end $$;
create trigger merchant_keeps_pharmacy before update of has_pharmacy on merchant
  for each row when (old.has_pharmacy and not new.has_pharmacy) execute function merchant_keeps_pharmacy();
