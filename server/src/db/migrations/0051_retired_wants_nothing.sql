-- A retired machine wants for nothing: its stock-outs end when it is retired, and what is empty is wanted again from
-- when it is back.

alter table stock_out add column ended_by text check (ended_by in ('goods', 'planogram', 'retirement'));

create table machine_retirement (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machine,
  began_at timestamptz not null,
  ended_at timestamptz,
  check (ended_at >= began_at)
);
create index machine_retirement_machine on machine_retirement (machine_id);
create unique index machine_retirement_lasting on machine_retirement (machine_id) where ended_at is null;
-- When machines came back before this was kept nobody knows; those that are retired have been since they were.
insert into machine_retirement (machine_id, began_at) select id, retired_at from machine where retired_at is not null;

-- Nothing was wanted after: neither what ended later nor what began later.
update stock_out o set ended_at = greatest(o.began_at, m.retired_at), ended_by = 'retirement'
from slot s join machine m on m.id = s.machine_id
where s.place_id = o.place_id and m.retired_at is not null and (o.ended_at is null or o.ended_at > m.retired_at);
update stock_out o set ended_by = case when exists (
    select from stock_move v
    where v.to_place_id = o.place_id and v.product_id = o.product_id and v.moved_at = o.ended_at)
  then 'goods' else 'planogram' end
where o.ended_at is not null and o.ended_by is null;

alter table stock_out add check ((ended_at is null) = (ended_by is null));

-- As before (0049), with why.
create or replace function end_left_stock_outs() returns void language sql as $$
  update stock_out o set ended_by = 'planogram', ended_at = greatest(o.began_at, coalesce((
    select min(v.moved_at) from stock_move v
    where v.to_place_id = o.place_id and v.product_id <> o.product_id and v.moved_at >= o.began_at
  ), now()))
  where o.ended_at is null and not exists (
    select from slot s where s.place_id = o.place_id and s.product_id = o.product_id and s.machine_id is not null)
$$;

-- As before (0049), without the times in which the machine was retired.
create or replace function rebuild_stock_outs() returns void language plpgsql as $$
begin
  delete from stock_out;
  insert into stock_out (place_id, product_id, began_at, ended_at, ended_by)
  select place_id, product_id, lower(wanted), upper(wanted),
    case when upper(wanted) = next_at then 'goods' when upper(wanted) is not null then 'retirement' end
  from (
    select place_id, product_id, moved_at, is_empty, lead(moved_at) over (partition by place_id, product_id order by n)
      as next_at
    from (
      select place_id, product_id, moved_at, level <= 0 as is_empty, row_number() over w as n,
        lag(level <= 0) over w as was_empty
      from (
        select place_id, product_id, moved_at, both_sides.id,
          sum(change) over (partition by place_id, product_id order by moved_at, both_sides.id) as level
        from (
          select to_place_id as place_id, product_id, moved_at, id, quantity as change from stock_move
          union all select from_place_id, product_id, moved_at, id, -quantity from stock_move
        ) both_sides join place on place.id = place_id and place.kind = 'slot'
      ) levels
      window w as (partition by place_id, product_id order by moved_at, id)
    ) marked where is_empty is distinct from was_empty
  ) turns
  left join (
    select s.place_id, range_agg(tstzrange(r.began_at, r.ended_at)) as times
    from slot s join machine_retirement r using (machine_id) group by 1
  ) retired using (place_id)
  cross join unnest(tstzmultirange(tstzrange(moved_at, next_at)) - coalesce(retired.times, '{}')) as wanted
  where is_empty;
  perform end_left_stock_outs();
end $$;

-- As before (0049), but that nothing begins in a retired machine, and with why it ended.
create or replace function stock_move_apply() returns trigger language plpgsql as $$
declare crossed bigint[];
begin
  insert into stock_level (place_id, product_id, quantity, may_go_negative)
  select p.id, m.product_id, 0, p.kind = 'slot'
  from (select from_place_id as place_id, product_id from moved union select to_place_id, product_id from moved) m
  join place p on p.id = m.place_id and p.holds
  where not exists (select from stock_level l where l.place_id = m.place_id and l.product_id = m.product_id)
  order by 1, 2
  on conflict do nothing;
  with change as (
    select place_id, product_id, sum(change)::int as change, max(moved_at) as moved_at from (
      select to_place_id as place_id, product_id, quantity as change, moved_at from moved
      union all select from_place_id, product_id, -quantity, moved_at from moved
    ) both_sides group by place_id, product_id
  ), locked as materialized (
    -- In one order for every writer, so that two batches never wait for each other in a ring.
    select l.place_id, l.product_id, c.change, c.moved_at from stock_level l join change c using (place_id, product_id)
    order by l.place_id, l.product_id for update of l
  ), level as (
    update stock_level l set quantity = l.quantity + locked.change from locked
    where l.place_id = locked.place_id and l.product_id = locked.product_id
    returning l.place_id, l.product_id, l.quantity, locked.change, locked.moved_at
  ), began as (
    insert into stock_out (place_id, product_id, began_at)
    select v.place_id, v.product_id, v.moved_at from level v
    join slot s on s.place_id = v.place_id and s.product_id = v.product_id
    left join machine m on m.id = s.machine_id
    where v.quantity <= 0 and v.quantity - v.change > 0 and m.retired_at is null
    on conflict do nothing
  ), ended as (
    update stock_out o set ended_at = greatest(o.began_at, v.moved_at), ended_by = 'goods' from level v
    where o.place_id = v.place_id and o.product_id = v.product_id and o.ended_at is null
      and v.quantity > 0 and v.quantity - v.change <= 0
  )
  select array_agg(distinct s.machine_id) into crossed
  from level l join slot s on s.place_id = l.place_id and s.product_id = l.product_id
  where (l.quantity <= 0) <> (l.quantity - l.change <= 0)
     or (l.quantity <= s.alarm_threshold) <> (l.quantity - l.change <= s.alarm_threshold);
  if crossed is not null then perform recount_slots(crossed); end if;
  return null;
end $$;

-- Kept with the machine's row, as stock-outs are with the moves: whoever retires it, and however.
create function machine_retired_apply() returns trigger language plpgsql as $$
declare back_at timestamptz;
begin
  if old.retired_at is null then
    insert into machine_retirement (machine_id, began_at) values (new.id, new.retired_at);
    update stock_out o set ended_at = greatest(o.began_at, new.retired_at), ended_by = 'retirement'
    from slot s where s.machine_id = new.id and o.place_id = s.place_id and o.ended_at is null;
  elsif new.retired_at is null then
    back_at := greatest(old.retired_at, new.updated_at);
    update machine_retirement set ended_at = back_at where machine_id = new.id and ended_at is null;
    insert into stock_out (place_id, product_id, began_at)
    select s.place_id, s.product_id, back_at
    from slot s join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where s.machine_id = new.id and l.quantity <= 0
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger machine_retired after update of retired_at on machine for each row
  when (old.retired_at is distinct from new.retired_at) execute function machine_retired_apply();
