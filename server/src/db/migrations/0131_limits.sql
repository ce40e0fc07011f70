-- Limits by person are set by people: the platform's, and stricter ones of a merchant. Pairs of substances, too.

alter table real_name_limit
  add version int not null default 1,
  add changed_by bigint references app_user on delete set null,
  add changed_at timestamptz not null default now();

-- A merchant is stricter than the platform or as strict. Where the platform becomes stricter later, whoever counts
-- takes the stricter of both.
create function real_name_limit_strict() returns trigger language plpgsql as $$
begin
  if new.merchant_id is not null and exists (
    select from real_name_limit p where p.merchant_id is null and p.limit_group = new.limit_group
      and (new.packs > p.packs or new.days < p.days)) then
    raise exception 'a merchant looser than the platform' using errcode = 'check_violation',
      constraint = 'real_name_limit_strict';
  end if;
  return new;
end $$;
create trigger real_name_limit_strict before insert or update on real_name_limit
  for each row execute function real_name_limit_strict();

alter table ingredient_pair drop constraint ingredient_pair_pkey;
alter table ingredient_pair
  add id bigint generated always as identity primary key,
  add remark text not null default '' check (length(remark) <= 200),
  add version int not null default 1,
  add created_at timestamptz not null default now(),
  add constraint ingredient_pair_first_second_key unique (first, second),
  add check (length(first) between 1 and 80 and length(second) between 1 and 80);
create index ingredient_pair_second on ingredient_pair (second);

insert into real_name_limit (merchant_id, limit_group, packs, days)
select null, g.name, 5, 7 from (values ('codeine'), ('diphenoxylate'), ('licorice')) g (name)
where not exists (select from real_name_limit l where l.merchant_id is null and l.limit_group = g.name);
