-- Figures beside their facts (docs/decisions/0021): refunds, kinds of business, points, cost, medicines by batch; and
-- months of the days that are over.

-- Where the machine stood and what a piece cost its merchant when it was sold: later neither can be known.
alter table orders add column point_id bigint;
update orders o set point_id = m.point_id from machine m where m.id = o.machine_id;
alter table orders alter column point_id set not null;
alter table order_item add column cost_fen bigint check (cost_fen >= 0);
update order_item i set cost_fen = p.cost_fen from product p where p.id = i.product_id;
alter table order_item alter column cost_fen set not null;

-- For the line that says how whole a report is: sales that were told late.
create index orders_offline on orders (business_day, machine_id) where is_offline;
-- What people did to the stock of slots in a period; sales, twenty times as many, are in the figures below.
create index stock_move_handled on stock_move (moved_at) where cause <> 'vend';
-- From a figure of a product to its orders.
create index order_item_product on order_item (product_id, occurred_at);

-- Of each table below the rows are what rebuild_rollups() makes of the facts; nothing is kept of the old ones.
drop table rollup_day;
drop table rollup_day_machine;
drop table rollup_day_product;

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

-- Months that are over, in the columns of their days; business_day is the month's first.
create table rollup_month (like rollup_day including all) with (fillfactor = 50);
create table rollup_month_machine (like rollup_day_machine including all) with (fillfactor = 50);
create table rollup_month_product (like rollup_day_product including all) with (fillfactor = 50);
create table rollup_month_machine_product (like rollup_day_machine_product including all) with (fillfactor = 50);
create table rollup_month_batch (like rollup_day_batch including all) with (fillfactor = 50);

-- All months before this day are there as months too; what comes later for one of them is added to both.
create table rollup_fold (
  through date not null check (extract(day from through) = 1),
  is_only boolean primary key default true check (is_only)
);
insert into rollup_fold (through) values ('2000-01-01');

-- Each merchant that a machine ever sold for: what a subtree sees is its merchants' figures, plus those of machines in
-- sight that sold for others, less those of machines out of sight that sold for it.
create table rollup_machine_merchant (
  machine_id bigint not null,
  merchant_id bigint not null,
  primary key (machine_id, merchant_id)
);
create index rollup_machine_merchant_merchant on rollup_machine_merchant (merchant_id);

-- The lock is the one of trade/rollup.store.ts: whoever holds it alone writes figures.
create function fold_rollups(until date) returns void language plpgsql as $$
declare
  since date;
  part record;
begin
  perform pg_advisory_xact_lock(7601);
  select through into since from rollup_fold;
  if until <= since then return; end if;
  for part in select * from (values
    ('', 'merchant_id, method, business_type',
      '{orders,paid_fen,discount_fen,online_orders,online_fen,refunds,refunded_fen}'::text[]),
    ('_machine', 'machine_id, merchant_id, point_id, method, business_type',
      '{orders,paid_fen,discount_fen,online_orders,online_fen,refunds,refunded_fen}'),
    ('_product', 'merchant_id, product_id',
      '{quantity,paid_fen,cost_fen,refunded_quantity,refunded_fen,refunded_cost_fen}'),
    ('_machine_product', 'machine_id, merchant_id, product_id',
      '{quantity,paid_fen,cost_fen,refunded_quantity,refunded_fen,refunded_cost_fen}'),
    ('_batch', 'machine_id, merchant_id, point_id, product_id, batch', '{quantity,paid_fen,cost_fen}')
  ) as kept (name, keys, sums) loop
    execute format(
      'insert into rollup_month%1$s (business_day, %2$s, %3$s)
       select date_trunc(''month'', business_day)::date as month, %2$s, %4$s from rollup_day%1$s
       where business_day >= $1 and business_day < $2 group by month, %2$s',
      part.name, part.keys, array_to_string(part.sums, ', '),
      (select string_agg(format('sum(%I)', name), ', ') from unnest(part.sums) as name))
    using since, date_trunc('month', until)::date;
  end loop;
  update rollup_fold set through = date_trunc('month', until)::date;
end $$;

-- Refunds whose money is with the customer, on the business day of their machine on which that was known.
create view refund_done as
  select r.id as refund_id, r.merchant_id, r.occurred_at, r.order_id as id, r.amount_fen,
    (r.ended_at at time zone m.time_zone)::date as business_day
  from refund r join machine m on m.id = r.machine_id where r.state in ('refunded', 'paid_back');

-- What the figures must be, from the facts alone; the demo, the benches and whoever restores a backup call it.
create function rebuild_rollups() returns void language plpgsql as $$
declare
  newest date;
begin
  perform pg_advisory_xact_lock(7601);
  truncate rollup_total, rollup_hour, rollup_day, rollup_day_machine, rollup_day_product, rollup_day_machine_product,
    rollup_day_batch, rollup_month, rollup_month_machine, rollup_month_product, rollup_month_machine_product,
    rollup_month_batch, rollup_machine_merchant;
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
    from orders where paid_at is not null group by 1, 2, 3, 4, 5, 6;
  insert into rollup_day_machine_product (business_day, machine_id, merchant_id, product_id, quantity, paid_fen,
      cost_fen)
    select o.business_day, o.machine_id, o.merchant_id, i.product_id, count(*), sum(i.price_fen), sum(i.cost_fen)
    from orders o join order_item i
      on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    where o.paid_at is not null group by 1, 2, 3, 4;
  insert into rollup_day_batch (business_day, machine_id, merchant_id, point_id, product_id, batch, quantity,
      paid_fen, cost_fen)
    select o.business_day, o.machine_id, o.merchant_id, o.point_id, i.product_id, coalesce(i.batch, ''), count(*),
      sum(i.price_fen), sum(i.cost_fen)
    from orders o join order_item i
      on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    join product p on p.id = i.product_id and p.medicine_class is not null
    where i.state = 'dispensed' group by 1, 2, 3, 4, 5, 6;
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
    from rollup_day_machine group by 1, 2, 3, 4;
  insert into rollup_day_product
    select business_day, merchant_id, product_id, sum(quantity), sum(paid_fen), sum(cost_fen), sum(refunded_quantity),
      sum(refunded_fen), sum(refunded_cost_fen)
    from rollup_day_machine_product group by 1, 2, 3;
  insert into rollup_machine_merchant select distinct machine_id, merchant_id from rollup_day_machine;
  select max(business_day) into newest from rollup_day;
  if newest is not null then perform fold_rollups(newest); end if;
end $$;

select rebuild_rollups();
