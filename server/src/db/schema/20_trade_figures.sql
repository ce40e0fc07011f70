-- Figures beside their facts (docs/decisions/0003, 0021, 0027): of a day, of any period as the difference of two
-- running totals, and of all merchants below one.

-- Rollups: small rows for each pair of dimension and day; written last in a transaction, under one advisory lock
-- (docs/decisions/0003). Sales count when they are paid, on the machine's business day.
create table rollup_total (
  merchant_id bigint primary key,
  orders bigint not null,
  paid_fen bigint not null
) with (fillfactor = 50);

create table rollup_hour (
  business_day date not null,
  hour smallint not null check (hour between 0 and 23),
  merchant_id bigint not null,
  orders bigint not null,
  paid_fen bigint not null,
  primary key (business_day, merchant_id, hour)
) with (fillfactor = 50);

-- Sales count on the business day of the sale, refunds on the one on which they were confirmed.
create table rollup_day (
  business_day date not null,
  merchant_id bigint not null,
  method text not null,
  business_type text not null,
  orders bigint not null default 0,
  paid_fen bigint not null default 0,
  discount_fen bigint not null default 0,
  online_orders bigint not null default 0,
  online_fen bigint not null default 0,
  refunds bigint not null default 0,
  refunded_fen bigint not null default 0,
  primary key (business_day, merchant_id, method, business_type)
) with (fillfactor = 50);

-- Merchant and point are those of the sale: a machine may have had others before. For people who see machines.
create table rollup_day_machine (
  business_day date not null,
  machine_id bigint not null,
  merchant_id bigint not null,
  point_id bigint not null,
  method text not null,
  business_type text not null,
  orders bigint not null default 0,
  paid_fen bigint not null default 0,
  discount_fen bigint not null default 0,
  online_orders bigint not null default 0,
  online_fen bigint not null default 0,
  refunds bigint not null default 0,
  refunded_fen bigint not null default 0,
  primary key (business_day, machine_id, merchant_id, point_id, method, business_type)
) with (fillfactor = 50);
create index rollup_day_machine_days on rollup_day_machine (machine_id, business_day);

-- Cost is what the pieces cost when they were sold; of those whose money went back it stands apart.
create table rollup_day_product (
  business_day date not null,
  merchant_id bigint not null,
  product_id bigint not null,
  quantity bigint not null default 0,
  paid_fen bigint not null default 0,
  cost_fen bigint not null default 0,
  refunded_quantity bigint not null default 0,
  refunded_fen bigint not null default 0,
  refunded_cost_fen bigint not null default 0,
  primary key (business_day, merchant_id, product_id)
) with (fillfactor = 50);

create table rollup_day_machine_product (
  business_day date not null,
  machine_id bigint not null,
  merchant_id bigint not null,
  product_id bigint not null,
  quantity bigint not null default 0,
  paid_fen bigint not null default 0,
  cost_fen bigint not null default 0,
  refunded_quantity bigint not null default 0,
  refunded_fen bigint not null default 0,
  refunded_cost_fen bigint not null default 0,
  primary key (business_day, machine_id, merchant_id, product_id)
) with (fillfactor = 50);
create index rollup_day_machine_product_days on rollup_day_machine_product (machine_id, business_day);
create index rollup_day_machine_product_product on rollup_day_machine_product (product_id, business_day);

-- Medicines that were handed out, on the business day of their sale; '' where the machine named no batch.
create table rollup_day_batch (
  business_day date not null,
  machine_id bigint not null,
  merchant_id bigint not null,
  point_id bigint not null,
  product_id bigint not null,
  batch text not null,
  quantity bigint not null default 0,
  paid_fen bigint not null default 0,
  cost_fen bigint not null default 0,
  primary key (business_day, machine_id, merchant_id, point_id, product_id, batch)
) with (fillfactor = 50);
create index rollup_day_batch_days on rollup_day_batch (machine_id, business_day);

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

-- What was added up from the first of January through business_day, a row for whatever sold anything in the year until
-- then: the figures of a period are the row of its last day less the one of the day before it. In the columns of days.
create table rollup_run (like rollup_day including all);

create table rollup_run_machine (
  like rollup_day_machine including defaults,
  primary key (business_day, machine_id, merchant_id, point_id, method, business_type)
);

create table rollup_run_product (like rollup_day_product including all);

create table rollup_run_machine_product (
  like rollup_day_machine_product including defaults,
  primary key (business_day, machine_id, merchant_id, product_id)
);

-- From the first of the month: batches come and go, and a year of them would be many rows a day.
create table rollup_run_batch (
  like rollup_day_batch including defaults,
  primary key (business_day, machine_id, merchant_id, point_id, product_id, batch)
);

-- How far days are added up.
create table rollup_fold (
  -- All days before `through` are in the tables above; what comes later for one of them is added there too.
  through date not null,
  is_only boolean primary key default true check (is_only)
);

-- Each merchant that a machine ever sold for: what a subtree sees is its merchants' figures, plus those of machines in
-- sight that sold for others, less those of machines out of sight that sold for it.
create table rollup_machine_merchant (
  machine_id bigint not null,
  merchant_id bigint not null,
  primary key (machine_id, merchant_id)
);
create index rollup_machine_merchant_merchant on rollup_machine_merchant (merchant_id);

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

-- Adds the days before `until` up. The lock is the one of trade/rollup.store.ts: whoever holds it alone writes figures.
create function fold_rollups(until date) returns void language plpgsql as $$
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
create function rebuild_rollups() returns void language plpgsql as $$
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

insert into rollup_fold (through) values ('2000-01-01');
