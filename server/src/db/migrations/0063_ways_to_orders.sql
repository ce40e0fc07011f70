-- What leads to few of millions of orders: a list of a state that hardly any order is in read a year of orders for
-- nothing. Only unusual rows are kept here, so that an ordinary sale pays for none of it; whose they are and where they
-- happened stands in the index, so that a merchant's few are found among everybody's without reading the rows.
create index orders_payment_kind on orders (payment_state, occurred_at, id, machine_id, merchant_id)
  where payment_state <> 'paid';
create index orders_ship_kind on orders (ship_state, occurred_at, id, machine_id, merchant_id)
  where ship_state <> 'completed';
create index orders_business_kind on orders (business_type, occurred_at, id, machine_id, merchant_id)
  where business_type <> 'sale';
create index orders_problem_kind on orders (problem, occurred_at, id, machine_id, merchant_id)
  where problem is not null;
create index orders_method_kind on orders (method, occurred_at, id, machine_id, merchant_id)
  where method not in ('alipay', 'wechat');

-- Which machines ever stood at a point or belonged to a merchant: an order says where and for whom it was sold, and
-- this leads to the machines that could have.
create table machine_stood (
  point_id bigint not null references point on delete cascade,
  machine_id bigint not null references machine on delete cascade,
  primary key (point_id, machine_id)
);
create table machine_owned (
  merchant_id bigint not null references merchant on delete cascade,
  machine_id bigint not null references machine on delete cascade,
  primary key (merchant_id, machine_id)
);
insert into machine_stood
  select point_id, id from machine
  union select distinct r.point_id, r.machine_id from rollup_day_machine r
    join machine m on m.id = r.machine_id join point p on p.id = r.point_id;
insert into machine_owned
  select merchant_id, id from machine
  union select distinct r.merchant_id, r.machine_id from rollup_day_machine r join machine m on m.id = r.machine_id;

create function machine_was_here() returns trigger language plpgsql as $$
begin
  insert into machine_stood values (new.point_id, new.id) on conflict do nothing;
  insert into machine_owned values (new.merchant_id, new.id) on conflict do nothing;
  return null;
end $$;
create trigger machine_was_here_new after insert on machine for each row execute function machine_was_here();
create trigger machine_was_here_moved after update of point_id, merchant_id on machine for each row
  when (new.point_id is distinct from old.point_id or new.merchant_id is distinct from old.merchant_id)
  execute function machine_was_here();
