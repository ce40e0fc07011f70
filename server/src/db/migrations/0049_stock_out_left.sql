-- A slot is out of a product only while it should hold it: with another product, or on no machine, its want is over.

-- Of slots whose product was changed before that was kept: it was when the first goods of another product came in;
-- where none came, nobody knows better than now.
create function end_left_stock_outs() returns void language sql as $$
  update stock_out o set ended_at = greatest(o.began_at, coalesce((
    select min(v.moved_at) from stock_move v
    where v.to_place_id = o.place_id and v.product_id <> o.product_id and v.moved_at >= o.began_at
  ), now()))
  where o.ended_at is null and not exists (
    select from slot s where s.place_id = o.place_id and s.product_id = o.product_id and s.machine_id is not null)
$$;
select end_left_stock_outs();

-- As before (0020), and no longer than the slot should hold it.
create or replace function rebuild_stock_outs() returns void language plpgsql as $$
begin
  delete from stock_out;
  insert into stock_out (place_id, product_id, began_at, ended_at)
  select place_id, product_id, moved_at, next_at from (
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
  ) turns where is_empty;
  perform end_left_stock_outs();
end $$;

-- As before (0048), but that the last piece of what is no longer the slot's begins nothing.
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
    where v.quantity <= 0 and v.quantity - v.change > 0
    on conflict do nothing
  ), ended as (
    update stock_out o set ended_at = greatest(o.began_at, v.moved_at) from level v
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
