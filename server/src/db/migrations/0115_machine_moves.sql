-- What slices above keep of a machine when it goes to another merchant: each says so beside its own table.

-- A rule of a machine's own is its merchant's.
alter table machine add unique (id, merchant_id);
alter table stock_alarm_rule drop constraint stock_alarm_rule_machine_id_fkey;
alter table stock_alarm_rule add foreign key (machine_id, merchant_id) references machine (id, merchant_id)
  on update cascade on delete cascade;

-- A template is of a merchant above the machine, or it is the machine's no longer.
create function template_use_left() returns trigger language plpgsql as $$
begin
  delete from template_use u using template t, merchant c
    where u.machine_id = new.id and t.id = u.template_id and c.id = new.merchant_id and t.merchant_id <> all(c.path);
  return null;
end $$;
create trigger template_use_left after update of merchant_id on machine
  for each row when (old.merchant_id <> new.merchant_id) execute function template_use_left();
