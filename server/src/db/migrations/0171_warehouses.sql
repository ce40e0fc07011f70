-- Warehouses: places with a class of storage, a keeper and readings of the climate; what lies there at cost; and goods
-- on their way from one to another.

alter table place drop column holds;
alter table place drop constraint place_kind_check;
alter table place
  add constraint place_kind_check check
    (kind in ('supplier', 'warehouse', 'transit', 'replenisher', 'slot', 'customer', 'scrap')),
  add column holds boolean generated always as (kind in ('warehouse', 'transit', 'replenisher', 'slot')) stored;
drop index place_outside;
create unique index place_outside on place (merchant_id, kind)
  where kind in ('supplier', 'transit', 'customer', 'scrap');

create table warehouse (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  place_id bigint not null unique references place,
  name text not null check (length(name) between 1 and 80),
  storage text not null default 'room' check (storage in ('room', 'cool', 'cold', 'frozen')),
  address text not null default '' check (length(address) <= 120),
  keeper_id bigint references app_user on delete set null,
  -- Degrees Celsius and percent between which it is kept.
  lowest_c int not null default 10 check (lowest_c between -40 and 60),
  highest_c int not null default 30 check (highest_c between -40 and 60),
  highest_humidity int not null default 75 check (highest_humidity between 1 and 100),
  state text not null default 'active' check (state in ('active', 'stopped')),
  version int not null default 1,
  created_at timestamptz not null,
  unique (merchant_id, name),
  unique (id, merchant_id),
  check (lowest_c < highest_c)
);
insert into warehouse (merchant_id, place_id, name, created_at)
select merchant_id, id, case when name = '' then 'Warehouse ' || id else name || ' ' || id end, now()
from place where kind = 'warehouse';

-- Read off by a person, beside the limits that held then; a slip is followed by another reading.
create table warehouse_reading (
  id bigint generated always as identity primary key,
  warehouse_id bigint not null references warehouse,
  read_at timestamptz not null,
  temperature_tenths int not null check (temperature_tenths between -600 and 800),
  humidity int check (humidity between 0 and 100),
  lowest_c int not null,
  highest_c int not null,
  highest_humidity int not null,
  is_excursion boolean not null generated always as (temperature_tenths < lowest_c * 10
    or temperature_tenths > highest_c * 10 or coalesce(humidity > highest_humidity, false)) stored,
  -- What was done about it, where it was out of range.
  note text not null default '' check (length(note) <= 200),
  read_by bigint references app_user on delete set null,
  reader text not null check (length(reader) between 1 and 80)
);
create index warehouse_reading_warehouse on warehouse_reading (warehouse_id, id);
create trigger warehouse_reading_kept before delete or update of warehouse_id, read_at, temperature_tenths, humidity,
  lowest_c, highest_c, highest_humidity, note, reader on warehouse_reading
  for each statement execute function facts_are_kept();
create trigger warehouse_reading_not_emptied before truncate on warehouse_reading
  for each statement execute function facts_are_kept();

alter table stock_move drop constraint stock_move_cause_check;
alter table stock_move
  add constraint stock_move_cause_check check
    (cause in ('vend', 'fill', 'remove', 'count', 'purchase', 'scrap', 'return', 'test', 'free', 'transfer')),
  -- What all of it cost, where the goods come from outside and somebody knows it.
  add column cost_fen bigint check (cost_fen >= 0);

-- What a product's pieces at a warehouse, or on their way, cost together: a moving average that is exact to the fen,
-- since the last piece takes what is left.
create table stock_value (
  id bigint generated always as identity constraint stock_value_id_key unique,
  place_id bigint not null references place,
  product_id bigint not null references product,
  pieces int not null check (pieces >= 0),
  value_fen bigint not null check (value_fen >= 0),
  primary key (place_id, product_id),
  check (pieces > 0 or value_fen = 0)
) with (fillfactor = 60);

-- Each move into and out of such a place with what its pieces cost; their sum is the value.
create table stock_cost (
  id bigint generated always as identity primary key,
  moved_at timestamptz not null,
  place_id bigint not null references place,
  product_id bigint not null references product,
  batch text,
  -- In is positive, out is negative; so is what it cost.
  quantity int not null check (quantity <> 0),
  cost_fen bigint not null,
  cause text not null,
  reference text not null,
  other_place_id bigint references place,
  user_id bigint,
  check ((quantity > 0 and cost_fen >= 0) or (quantity < 0 and cost_fen <= 0))
);
create index stock_cost_place on stock_cost (place_id, id);
create index stock_cost_product on stock_cost (product_id, place_id, id);
create trigger stock_cost_kept before update or delete on stock_cost
  for each statement execute function facts_are_kept();
create trigger stock_cost_not_emptied before truncate on stock_cost
  for each statement execute function facts_are_kept();

-- As in the other functions over moves: after a great many at once, one is still found by its key.
create function stock_move_value() returns trigger language plpgsql
  set enable_hashjoin to off set enable_mergejoin to off as $$
declare one record; held record; worth bigint;
begin
  -- Almost every move is a sale, which no warehouse has to do with.
  if not exists (select from moved v join place p on p.id in (v.from_place_id, v.to_place_id)
    where v.cause <> 'vend' and p.kind in ('warehouse', 'transit')) then return null; end if;
  for one in
    select v.*, f.kind in ('warehouse', 'transit') as leaves, t.kind in ('warehouse', 'transit') as comes,
      d.cost_fen as list_fen
    from moved v join place f on f.id = v.from_place_id join place t on t.id = v.to_place_id
    join product d on d.id = v.product_id
    where f.kind in ('warehouse', 'transit') or t.kind in ('warehouse', 'transit') order by v.id
  loop
    worth := null;
    if one.leaves then
      select pieces, value_fen into held from stock_value
        where place_id = one.from_place_id and product_id = one.product_id for update;
      if not found or held.pieces < one.quantity then
        raise exception 'more pieces leave than have a value' using errcode = 'check_violation';
      end if;
      worth := case when held.pieces = one.quantity then held.value_fen
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
create trigger stock_move_value after insert on stock_move referencing new table as moved
  for each statement execute function stock_move_value();

-- What lies in warehouses already is worth what its card says.
insert into stock_value (place_id, product_id, pieces, value_fen)
select l.place_id, l.product_id, l.quantity, l.quantity * d.cost_fen
from stock_level l join place p on p.id = l.place_id and p.kind = 'warehouse' join product d on d.id = l.product_id
where l.quantity > 0;
insert into stock_cost (moved_at, place_id, product_id, quantity, cost_fen, cause, reference)
select now(), place_id, product_id, pieces, value_fen, 'opening', 'opening' from stock_value;

-- Goods on their way from one warehouse to another.
create table transfer (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  no text not null check (length(no) <= 40),
  from_id bigint not null,
  to_id bigint not null,
  state text not null default 'onWay' check (state in ('onWay', 'arrived', 'calledBack')),
  note text not null default '' check (length(note) <= 200),
  sent_by bigint references app_user on delete set null,
  sender text not null,
  sent_at timestamptz not null,
  ended_by bigint references app_user on delete set null,
  ender text,
  ended_at timestamptz,
  unique (merchant_id, no),
  foreign key (from_id, merchant_id) references warehouse (id, merchant_id),
  foreign key (to_id, merchant_id) references warehouse (id, merchant_id),
  check (from_id <> to_id),
  check ((state = 'onWay') = (ended_at is null))
);
create index transfer_merchant on transfer (merchant_id, id);
create index transfer_from on transfer (from_id, id);
create index transfer_to on transfer (to_id, id);

create table transfer_line (
  transfer_id bigint not null references transfer,
  line int not null,
  product_id bigint not null references product,
  -- Of medicine; empty for what has none.
  batch text not null default '' check (length(batch) <= 120),
  quantity int not null check (quantity > 0),
  arrived int check (arrived between 0 and quantity),
  primary key (transfer_id, line),
  unique (transfer_id, product_id, batch)
);

-- Numbers of documents: counted for each merchant, kind and day in the transaction that writes the document. A number
-- whose transaction fails is given again; none is ever given twice.
create table document_counter (
  merchant_id bigint not null references merchant,
  prefix text not null check (length(prefix) between 1 and 8),
  day date not null,
  last int not null check (last > 0),
  primary key (merchant_id, prefix, day)
);
