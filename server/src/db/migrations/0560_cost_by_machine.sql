-- What goods cost stands beside what a machine sold, by the point of the sale: a report of points told it from pieces,
-- many rows for each machine, and asked the orders of machines that had moved.
alter table rollup_day_machine add cost_fen bigint not null default 0,
  add refunded_cost_fen bigint not null default 0;
alter table rollup_run_machine add cost_fen bigint not null default 0,
  add refunded_cost_fen bigint not null default 0;

-- A row for each sale, each piece of one, each refund and each piece of one: in keys and sums of rollup_day_machine.
create view sale_figures as
  select business_day, machine_id, merchant_id, point_id, method, business_type, 1 as orders, paid_fen, discount_fen,
    (not is_offline)::int as online_orders, (not is_offline)::int * paid_fen as online_fen, 0 as refunds,
    0::bigint as refunded_fen, 0::bigint as cost_fen, 0::bigint as refunded_cost_fen
  from orders where paid_at is not null
  union all
  select o.business_day, o.machine_id, o.merchant_id, o.point_id, o.method, o.business_type, 0, 0, 0, 0, 0, 0, 0,
    i.cost_fen, 0
  from orders o join order_item i
    on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
  where o.paid_at is not null
  union all
  select f.business_day, o.machine_id, o.merchant_id, o.point_id, o.method, o.business_type, 0, 0, 0, 0, 0, 1,
    f.amount_fen, 0, 0
  from refund_done f join orders o using (merchant_id, occurred_at, id)
  union all
  select f.business_day, o.machine_id, o.merchant_id, o.point_id, o.method, o.business_type, 0, 0, 0, 0, 0, 0, 0, 0,
    i.cost_fen
  from refund_done f join orders o using (merchant_id, occurred_at, id)
    join refund_item p on p.refund_id = f.refund_id
    join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
      and i.index = p.item_index;

-- Rows of a day come to lie in the order of their key: reports read them by it.
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
        '{orders,paid_fen,discount_fen,online_orders,online_fen,refunds,refunded_fen,cost_fen,refunded_cost_fen}'),
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
           union all select %2$s, %3$s from rollup_day%1$s where business_day = $1) added group by %2$s
           order by %2$s',
        part.name, part.keys, array_to_string(part.sums, ', '),
        (select string_agg(format('sum(%I)', name), ', ') from unnest(part.sums) as name), part.begins)
      using day;
    end loop;
    day := day + 1;
  end loop;
  update rollup_fold set through = until;
end $$;

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
  insert into rollup_day_machine
    select business_day, machine_id, merchant_id, point_id, method, business_type, sum(orders), sum(paid_fen),
      sum(discount_fen), sum(online_orders), sum(online_fen), sum(refunds), sum(refunded_fen), sum(cost_fen),
      sum(refunded_cost_fen)
    from sale_figures group by 1, 2, 3, 4, 5, 6 order by 1, 2;
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

-- What was sold so far; running totals as far as they are folded.
insert into rollup_day_machine as r (business_day, machine_id, merchant_id, point_id, method, business_type, cost_fen,
    refunded_cost_fen)
  select business_day, machine_id, merchant_id, point_id, method, business_type, sum(cost_fen), sum(refunded_cost_fen)
  from sale_figures where cost_fen <> 0 or refunded_cost_fen <> 0 group by 1, 2, 3, 4, 5, 6
  on conflict (business_day, machine_id, merchant_id, point_id, method, business_type) do update
    set cost_fen = excluded.cost_fen, refunded_cost_fen = excluded.refunded_cost_fen;
update rollup_run_machine r set cost_fen = s.cost_fen, refunded_cost_fen = s.refunded_cost_fen
from (
  select business_day, machine_id, merchant_id, point_id, method, business_type, sum(d.cost_fen) over run as cost_fen,
    sum(d.refunded_cost_fen) over run as refunded_cost_fen
  from rollup_run_machine k left join rollup_day_machine d
    using (business_day, machine_id, merchant_id, point_id, method, business_type)
  window run as (partition by date_trunc('year', business_day::timestamp), machine_id, merchant_id, point_id, method,
    business_type order by business_day)) s
where (s.cost_fen <> 0 or s.refunded_cost_fen <> 0) and s.business_day = r.business_day
  and s.machine_id = r.machine_id and s.merchant_id = r.merchant_id and s.point_id = r.point_id
  and s.method = r.method and s.business_type = r.business_type;
