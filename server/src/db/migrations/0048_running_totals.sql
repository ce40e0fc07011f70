-- Figures of any period in a few rows each (docs/decisions/0027): running totals instead of months, and the figures of
-- all merchants below one, told apart by day.

drop table rollup_month;
drop table rollup_month_machine;
drop table rollup_month_product;
drop table rollup_month_machine_product;
drop table rollup_month_batch;

-- What was added up from the first of January through business_day, a row for whatever sold anything in the year until
-- then: the figures of a period are the row of its last day less the one of the day before it. In the columns of days.
create table rollup_run (like rollup_day including all);
create table rollup_run_machine (like rollup_day_machine including defaults);
alter table rollup_run_machine add primary key (business_day, machine_id, merchant_id, point_id, method, business_type);
create table rollup_run_product (like rollup_day_product including all);
create table rollup_run_machine_product (like rollup_day_machine_product including defaults);
alter table rollup_run_machine_product add primary key (business_day, machine_id, merchant_id, product_id);
-- From the first of the month: batches come and go, and a year of them would be many rows a day.
create table rollup_run_batch (like rollup_day_batch including defaults);
alter table rollup_run_batch add primary key (business_day, machine_id, merchant_id, point_id, product_id, batch);

-- A day's figures of all merchants below one together, itself not among them. Of days that are folded.
create table rollup_day_above (
  above_id bigint not null,
  business_day date not null,
  method text not null,
  business_type text not null,
  orders bigint not null default 0,
  paid_fen bigint not null default 0,
  discount_fen bigint not null default 0,
  online_orders bigint not null default 0,
  online_fen bigint not null default 0,
  refunds bigint not null default 0,
  refunded_fen bigint not null default 0,
  primary key (above_id, business_day, method, business_type)
);
create table rollup_day_above_product (
  above_id bigint not null,
  business_day date not null,
  product_id bigint not null,
  quantity bigint not null default 0,
  paid_fen bigint not null default 0,
  cost_fen bigint not null default 0,
  refunded_quantity bigint not null default 0,
  refunded_fen bigint not null default 0,
  refunded_cost_fen bigint not null default 0,
  primary key (above_id, business_day, product_id)
);

-- All days before `through` are in the tables above; what comes later for one of them is added there too.
alter table rollup_fold drop constraint rollup_fold_through_check;
update rollup_fold set through = '2000-01-01';

-- A merchant's figures as they are added to those above it: `sign` -1 takes them off.
create function rollup_above_add(above bigint[], merchants bigint[], since date, until date, sign int) returns void
language sql as $$
  insert into rollup_day_above as r
    select a, business_day, method, business_type, sign * sum(orders), sign * sum(paid_fen), sign * sum(discount_fen),
      sign * sum(online_orders), sign * sum(online_fen), sign * sum(refunds), sign * sum(refunded_fen)
    from rollup_day, unnest(above) a
    where merchant_id = any(merchants) and business_day >= since and business_day < until group by 1, 2, 3, 4
    on conflict (above_id, business_day, method, business_type) do update
      set orders = r.orders + excluded.orders, paid_fen = r.paid_fen + excluded.paid_fen,
        discount_fen = r.discount_fen + excluded.discount_fen, online_orders = r.online_orders + excluded.online_orders,
        online_fen = r.online_fen + excluded.online_fen, refunds = r.refunds + excluded.refunds,
        refunded_fen = r.refunded_fen + excluded.refunded_fen;
  insert into rollup_day_above_product as r
    select a, business_day, product_id, sign * sum(quantity), sign * sum(paid_fen), sign * sum(cost_fen),
      sign * sum(refunded_quantity), sign * sum(refunded_fen), sign * sum(refunded_cost_fen)
    from rollup_day_product, unnest(above) a
    where merchant_id = any(merchants) and business_day >= since and business_day < until group by 1, 2, 3
    on conflict (above_id, business_day, product_id) do update
      set quantity = r.quantity + excluded.quantity, paid_fen = r.paid_fen + excluded.paid_fen,
        cost_fen = r.cost_fen + excluded.cost_fen, refunded_quantity = r.refunded_quantity + excluded.refunded_quantity,
        refunded_fen = r.refunded_fen + excluded.refunded_fen,
        refunded_cost_fen = r.refunded_cost_fen + excluded.refunded_cost_fen;
$$;

-- Days before `until`. The lock is the one of trade/rollup.store.ts: whoever holds it alone writes figures.
create or replace function fold_rollups(until date) returns void language plpgsql as $$
declare
  since date;
  above bigint;
  day date;
  part record;
begin
  perform pg_advisory_xact_lock(7601);
  select through into since from rollup_fold;
  if coalesce(until, since) <= since then return; end if;
  for above in select id from merchant m where exists (select from merchant b where b.parent_id = m.id) loop
    perform rollup_above_add(array[above],
      array(select id from merchant where path @> array[above] and id <> above), since, until, 1);
  end loop;
  -- Nothing was sold before the first day of all; without one there is nothing to add up.
  select greatest(since, coalesce(min(first), until)) into day from (
    select min(business_day) as first from rollup_day_machine
    union all select min(business_day) from rollup_day_machine_product
    union all select min(business_day) from rollup_day_batch) firsts;
  while day < until loop
    for part in select * from (values
      ('', 'merchant_id, method, business_type', 'year',
        '{orders,paid_fen,discount_fen,online_orders,online_fen,refunds,refunded_fen}'::text[]),
      ('_machine', 'machine_id, merchant_id, point_id, method, business_type', 'year',
        '{orders,paid_fen,discount_fen,online_orders,online_fen,refunds,refunded_fen}'),
      ('_product', 'merchant_id, product_id', 'year',
        '{quantity,paid_fen,cost_fen,refunded_quantity,refunded_fen,refunded_cost_fen}'),
      ('_machine_product', 'machine_id, merchant_id, product_id', 'year',
        '{quantity,paid_fen,cost_fen,refunded_quantity,refunded_fen,refunded_cost_fen}'),
      ('_batch', 'machine_id, merchant_id, point_id, product_id, batch', 'month', '{quantity,paid_fen,cost_fen}')
    ) as kept (name, keys, begins, sums) loop
      execute format(
        'insert into rollup_run%1$s (business_day, %2$s, %3$s)
         select $1, %2$s, %4$s from (
           select %2$s, %3$s from rollup_run%1$s
             where business_day = $1 - 1 and $1 <> date_trunc(%5$L, $1::timestamp)::date
           union all select %2$s, %3$s from rollup_day%1$s where business_day = $1) added group by %2$s',
        part.name, part.keys, array_to_string(part.sums, ', '),
        (select string_agg(format('sum(%I)', name), ', ') from unnest(part.sums) as name), part.begins)
      using day;
    end loop;
    day := day + 1;
  end loop;
  update rollup_fold set through = until;
end $$;

-- Who comes to hang below another brings its figures along, and those of all below it.
create function merchant_move_figures() returns trigger language plpgsql as $$
declare
  was bigint[] := old.path[:cardinality(old.path) - 1];
  now_above bigint[];
  moved bigint[];
  folded date;
begin
  perform pg_advisory_xact_lock(7601);
  select path[:cardinality(path) - 1] into now_above from merchant where id = new.id;
  select array_agg(id) into moved from merchant where path @> array[new.id];
  select through into folded from rollup_fold;
  perform rollup_above_add(array(select unnest(was) except select unnest(now_above)), moved, '-infinity', folded, -1);
  perform rollup_above_add(array(select unnest(now_above) except select unnest(was)), moved, '-infinity', folded, 1);
  return null;
end $$;
create trigger merchant_moved_figures after update of parent_id on merchant
  for each row when (old.parent_id is distinct from new.parent_id) execute function merchant_move_figures();

-- What the figures must be, from the facts alone; the demo, the benches and whoever restores a backup call it. Rows of
-- a day are written together, as they come to lie when it is sold: reports read days.
create or replace function rebuild_rollups() returns void language plpgsql as $$
declare
  newest date;
begin
  perform pg_advisory_xact_lock(7601);
  truncate rollup_total, rollup_hour, rollup_day, rollup_day_machine, rollup_day_product, rollup_day_machine_product,
    rollup_day_batch, rollup_day_above, rollup_day_above_product, rollup_run, rollup_run_machine, rollup_run_product,
    rollup_run_machine_product, rollup_run_batch, rollup_machine_merchant;
  update rollup_fold set through = '2000-01-01';
  insert into rollup_total (merchant_id, orders, paid_fen)
    select merchant_id, count(*), sum(paid_fen) from orders where paid_at is not null group by 1;
  insert into rollup_hour (business_day, hour, merchant_id, orders, paid_fen)
    select o.business_day, extract(hour from o.occurred_at at time zone m.time_zone), o.merchant_id, count(*),
      sum(o.paid_fen)
    from orders o join machine m on m.id = o.machine_id where o.paid_at is not null group by 1, 2, 3;
  insert into rollup_day_machine (business_day, machine_id, merchant_id, point_id, method, business_type, orders,
      paid_fen, discount_fen, online_orders, online_fen)
    select business_day, machine_id, merchant_id, point_id, method, business_type, count(*), sum(paid_fen),
      sum(discount_fen), count(*) filter (where not is_offline),
      coalesce(sum(paid_fen) filter (where not is_offline), 0)
    from orders where paid_at is not null group by 1, 2, 3, 4, 5, 6 order by 1, 2;
  insert into rollup_day_machine_product (business_day, machine_id, merchant_id, product_id, quantity, paid_fen,
      cost_fen)
    select o.business_day, o.machine_id, o.merchant_id, i.product_id, count(*), sum(i.price_fen), sum(i.cost_fen)
    from orders o join order_item i
      on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    where o.paid_at is not null group by 1, 2, 3, 4 order by 1, 2;
  insert into rollup_day_batch (business_day, machine_id, merchant_id, point_id, product_id, batch, quantity,
      paid_fen, cost_fen)
    select o.business_day, o.machine_id, o.merchant_id, o.point_id, i.product_id, coalesce(i.batch, ''), count(*),
      sum(i.price_fen), sum(i.cost_fen)
    from orders o join order_item i
      on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    join product p on p.id = i.product_id and p.medicine_class is not null
    where i.state = 'dispensed' group by 1, 2, 3, 4, 5, 6 order by 1, 2;
  insert into rollup_day_machine as r (business_day, machine_id, merchant_id, point_id, method, business_type, refunds,
      refunded_fen)
    select f.business_day, o.machine_id, o.merchant_id, o.point_id, o.method, o.business_type, count(*),
      sum(f.amount_fen)
    from refund_done f join orders o using (merchant_id, occurred_at, id) group by 1, 2, 3, 4, 5, 6
    on conflict (business_day, machine_id, merchant_id, point_id, method, business_type) do update
      set refunds = excluded.refunds, refunded_fen = excluded.refunded_fen;
  insert into rollup_day_machine_product as r (business_day, machine_id, merchant_id, product_id, refunded_quantity,
      refunded_fen, refunded_cost_fen)
    select f.business_day, o.machine_id, o.merchant_id, p.product_id, count(*), sum(p.amount_fen), sum(i.cost_fen)
    from refund_done f join orders o using (merchant_id, occurred_at, id)
    join refund_item p on p.refund_id = f.refund_id
    join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
      and i.index = p.item_index
    group by 1, 2, 3, 4
    on conflict (business_day, machine_id, merchant_id, product_id) do update
      set refunded_quantity = excluded.refunded_quantity, refunded_fen = excluded.refunded_fen,
        refunded_cost_fen = excluded.refunded_cost_fen;
  insert into rollup_day
    select business_day, merchant_id, method, business_type, sum(orders), sum(paid_fen), sum(discount_fen),
      sum(online_orders), sum(online_fen), sum(refunds), sum(refunded_fen)
    from rollup_day_machine group by 1, 2, 3, 4 order by 1, 2;
  insert into rollup_day_product
    select business_day, merchant_id, product_id, sum(quantity), sum(paid_fen), sum(cost_fen), sum(refunded_quantity),
      sum(refunded_fen), sum(refunded_cost_fen)
    from rollup_day_machine_product group by 1, 2, 3 order by 1, 2;
  insert into rollup_machine_merchant select distinct machine_id, merchant_id from rollup_day_machine;
  -- Machines go on telling of the last two days.
  select max(business_day) - 1 into newest from rollup_day;
  if newest is not null then perform fold_rollups(newest); end if;
end $$;

select fold_rollups((select max(business_day) - 1 from rollup_day where business_day <= current_date));

-- What a sale writes, at less cost (docs/decisions/0027). Accounts refer to their merchants, and entries to accounts:
-- the merchant of each transfer need not be looked up again, which was most of what posting it cost.
alter table ledger_transfer drop constraint ledger_transfer_merchant_id_fkey;

-- As before (0020), but for levels that are there already, which are nearly all.
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
    select v.place_id, v.product_id, v.moved_at from level v join place p on p.id = v.place_id and p.kind = 'slot'
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
