-- Facts are kept against being emptied, too: each table whose rows can't be deleted can't be truncated either. A later
-- migration that guards another table calls this again.
create function keep_facts_from_truncate() returns void language plpgsql as $$
declare fact regclass;
begin
  for fact in
    select distinct t.tgrelid from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgname like '%\_kept' and not t.tgisinternal and not c.relispartition
      -- Bits of pg_trigger: 8 fires on delete, 32 on truncate.
      and t.tgtype & 8 > 0
      and not exists (select from pg_trigger e where e.tgrelid = t.tgrelid and e.tgtype & 32 > 0)
  loop
    execute format('create trigger %I before truncate on %s for each statement execute function facts_are_kept()',
      (select relname from pg_class where oid = fact) || '_not_emptied', fact);
  end loop;
end $$;
select keep_facts_from_truncate();
