-- What a machine was told of itself, beside what holds: a difference is owed to it as a command.
alter table machine add column licence_mode_told text;
update machine set licence_mode_told = licence_mode;
-- A machine that is made is installed with the mode that it was made with.
create function machine_mode_told() returns trigger language plpgsql as $$
begin
  new.licence_mode_told := coalesce(new.licence_mode_told, new.licence_mode);
  return new;
end $$;
create trigger machine_mode_told before insert on machine for each row execute function machine_mode_told();
alter table machine alter column licence_mode_told set not null;
