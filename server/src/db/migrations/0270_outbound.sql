-- Goods that leave a warehouse with a replenisher: their bag, a place of its own, and the order by which it is loaded.

-- Whose hands goods are in between warehouse and slot: one bag of a merchant's goods a person.
create table bag (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  user_id bigint references app_user on delete set null,
  place_id bigint not null unique references place,
  unique (merchant_id, user_id),
  unique (id, merchant_id)
);
create index bag_user on bag (user_id);

create table outbound_order (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  no text not null check (length(no) <= 40),
  warehouse_id bigint not null,
  bag_id bigint not null,
  state text not null default 'draft' check (state in ('draft', 'picked', 'loaded', 'closed', 'cancelled')),
  note text not null default '' check (length(note) <= 200),
  made_by bigint references app_user on delete set null,
  maker text not null,
  made_at timestamptz not null,
  picker text,
  picked_at timestamptz,
  loader text,
  loaded_at timestamptz,
  ender text,
  ended_at timestamptz,
  end_reason text not null default '' check (length(end_reason) <= 200),
  version int not null default 1,
  unique (merchant_id, no),
  unique (id, merchant_id),
  foreign key (warehouse_id, merchant_id) references warehouse (id, merchant_id),
  foreign key (bag_id, merchant_id) references bag (id, merchant_id),
  check ((state in ('closed', 'cancelled')) = (ended_at is not null)),
  check ((state in ('loaded', 'closed')) = (loaded_at is not null))
);
create index outbound_order_merchant on outbound_order (merchant_id, id);
create index outbound_order_open on outbound_order (warehouse_id, state) where state in ('draft', 'picked', 'loaded');
create index outbound_order_bag on outbound_order (bag_id, id);

-- What is wanted, product by product; batches are found when it is picked.
create table outbound_line (
  outbound_id bigint not null references outbound_order,
  line int not null,
  product_id bigint not null references product,
  quantity int not null check (quantity between 1 and 1000000),
  primary key (outbound_id, line),
  unique (outbound_id, product_id)
);

-- What lies ready, or was loaded, of each batch; and what of it came back.
create table outbound_pick (
  outbound_id bigint not null references outbound_order,
  product_id bigint not null references product,
  -- Of medicine; empty for what has none.
  batch text not null default '' check (length(batch) <= 120),
  quantity int not null check (quantity > 0),
  primary key (outbound_id, product_id, batch),
  foreign key (outbound_id, product_id) references outbound_line (outbound_id, product_id)
);

-- What came back from a bag when an order was closed; also what was in it from before.
create table outbound_return (
  outbound_id bigint not null references outbound_order,
  product_id bigint not null references product,
  batch text not null default '' check (length(batch) <= 120),
  quantity int not null check (quantity > 0),
  primary key (outbound_id, product_id, batch)
);

-- Who is under way to a machine, from when to when: what is put in meanwhile comes from that bag, also where it is
-- heard much later. One at a time.
create table bag_service (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machine on delete cascade,
  bag_id bigint not null references bag,
  from_at timestamptz not null,
  to_at timestamptz,
  check (to_at >= from_at)
);
create unique index bag_service_open on bag_service (machine_id) where to_at is null;
create index bag_service_machine on bag_service (machine_id, from_at);

-- What lies in a bag has cost what it cost at the warehouse: it is worth that until it is in a slot or back. What goes
-- back to where it came from leaves at what it cost then, as far as its place has so much value.
create or replace function stock_move_value() returns trigger language plpgsql
  set enable_hashjoin to off set enable_mergejoin to off as $$
declare one record; held record; worth bigint;
begin
  -- Almost every move is a sale, which no warehouse has to do with.
  if not exists (select from moved v join place p on p.id in (v.from_place_id, v.to_place_id)
    where v.cause <> 'vend' and p.kind in ('warehouse', 'transit', 'replenisher')) then return null; end if;
  for one in
    select v.*, f.kind in ('warehouse', 'transit', 'replenisher') as leaves,
      t.kind in ('warehouse', 'transit', 'replenisher') as comes, d.cost_fen as list_fen
    from moved v join place f on f.id = v.from_place_id join place t on t.id = v.to_place_id
    join product d on d.id = v.product_id
    where f.kind in ('warehouse', 'transit', 'replenisher') or t.kind in ('warehouse', 'transit', 'replenisher')
    order by v.id
  loop
    worth := null;
    if one.leaves then
      select pieces, value_fen into held from stock_value
        where place_id = one.from_place_id and product_id = one.product_id for update;
      if not found or held.pieces < one.quantity then
        raise exception 'more pieces leave than have a value' using errcode = 'check_violation';
      end if;
      worth := case when held.pieces = one.quantity then held.value_fen
        when one.cost_fen is not null then least(one.cost_fen, held.value_fen)
        else round(held.value_fen::numeric * one.quantity / held.pieces)::bigint end;
      update stock_value set pieces = pieces - one.quantity, value_fen = value_fen - worth
        where place_id = one.from_place_id and product_id = one.product_id;
      insert into stock_cost (moved_at, place_id, product_id, batch, quantity, cost_fen, cause, reference,
          other_place_id, user_id)
        values (one.moved_at, one.from_place_id, one.product_id, one.batch, -one.quantity, -worth, one.cause,
          one.reference, one.to_place_id, one.user_id);
    end if;
    if one.comes then
      if worth is null then worth := one.cost_fen; end if;
      if worth is null then
        -- Found or brought back: as the others of it there have cost, else as its card says.
        select round(value_fen::numeric * one.quantity / pieces)::bigint into worth from stock_value
          where place_id = one.to_place_id and product_id = one.product_id and pieces > 0;
      end if;
      worth := coalesce(worth, one.list_fen * one.quantity);
      insert into stock_value as s (place_id, product_id, pieces, value_fen)
        values (one.to_place_id, one.product_id, one.quantity, worth)
        on conflict (place_id, product_id) do update set pieces = s.pieces + excluded.pieces,
          value_fen = s.value_fen + excluded.value_fen;
      insert into stock_cost (moved_at, place_id, product_id, batch, quantity, cost_fen, cause, reference,
          other_place_id, user_id)
        values (one.moved_at, one.to_place_id, one.product_id, one.batch, one.quantity, worth, one.cause,
          one.reference, one.from_place_id, one.user_id);
    end if;
  end loop;
  return null;
end $$;

insert into stock_value (place_id, product_id, pieces, value_fen)
select l.place_id, l.product_id, l.quantity, l.quantity * d.cost_fen
from stock_level l join place p on p.id = l.place_id and p.kind = 'replenisher' join product d on d.id = l.product_id
where l.quantity > 0;
insert into stock_cost (moved_at, place_id, product_id, quantity, cost_fen, cause, reference)
select now(), v.place_id, v.product_id, v.pieces, v.value_fen, 'opening', 'opening'
from stock_value v join place p on p.id = v.place_id and p.kind = 'replenisher' where v.pieces > 0;
