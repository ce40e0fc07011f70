-- What lies in places is counted, and the books follow by the difference at the moment of counting.

-- By which count the books of a place stand, and when it was: what happened before and is heard later was counted
-- already.
create table stock_counted (
  place_id bigint not null references place,
  product_id bigint not null references product,
  counted_at timestamptz not null,
  merchant_id bigint not null references merchant,
  scrap_place_id bigint not null references place,
  reference text not null,
  primary key (place_id, product_id)
);

-- A sale, a fill or whatever else was before a count and is heard after it: the count has seen what it did, so that the
-- difference that was booked is that much less. Goods come back to, or go from, the batch that the late one took.
create function stock_move_late() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if not exists (
    select from moved v join stock_counted c
      on c.place_id in (v.from_place_id, v.to_place_id) and c.product_id = v.product_id
    where v.cause <> 'count' and v.moved_at <= c.counted_at
  ) then return null; end if;
  insert into stock_move
    (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause, reference, batch)
  select c.merchant_id, c.counted_at, v.product_id, v.quantity,
    case v.from_place_id when c.place_id then c.scrap_place_id else c.place_id end,
    case v.from_place_id when c.place_id then c.place_id else c.scrap_place_id end,
    'count', c.reference || '/late', coalesce(v.batch, (
      select t.taken from layer_taken t
      where t.product_id = v.product_id and t.place_id = c.place_id and t.moved_at = v.moved_at
        and t.reference = v.reference and t.taken is not null
      order by t.id desc limit 1))
  from moved v join stock_counted c
    on c.place_id in (v.from_place_id, v.to_place_id) and c.product_id = v.product_id
  where v.cause <> 'count' and v.moved_at <= c.counted_at
  order by v.id;
  return null;
end $$;
-- After the levels and the batches, which its name sees to.
create trigger stock_move_late after insert on stock_move
  referencing new table as moved for each statement execute function stock_move_late();

-- As before, but that what a count finds of a batch goes to that batch's layer, and to the front where it has none: it
-- is judged first there.
create or replace function put_layer(at_place bigint, of_product bigint, pieces int, named_batch text,
  moved timestamptz, why text) returns text language plpgsql as $$
declare last_one slot_layer; first_one slot_layer; same_one slot_layer; doubt text;
begin
  select * into last_one from slot_layer where place_id = at_place and product_id = of_product
    order by sequence desc limit 1;
  if why = 'count' and named_batch is not null and last_one.sequence is not null then
    select * into same_one from slot_layer
      where place_id = at_place and product_id = of_product and batch = named_batch order by sequence limit 1;
    if found then
      update slot_layer set quantity = quantity + pieces
        where place_id = at_place and product_id = of_product and sequence = same_one.sequence;
    else
      insert into slot_layer (place_id, product_id, sequence, batch, quantity, filled_at)
        select at_place, of_product, min(sequence) - 1, named_batch, pieces, moved from slot_layer
        where place_id = at_place and product_id = of_product;
    end if;
    return null;
  end if;
  if last_one.filled_at > moved and last_one.batch is distinct from named_batch then doubt := 'lateFill'; end if;
  if why = 'count' and named_batch is null and last_one.sequence is not null then
    select * into first_one from slot_layer where place_id = at_place and product_id = of_product
      order by sequence limit 1;
    update slot_layer set quantity = quantity + pieces
      where place_id = at_place and product_id = of_product and sequence = first_one.sequence;
    return case when first_one.sequence <> last_one.sequence then 'count' end;
  end if;
  if last_one.sequence is not null and last_one.batch is not distinct from named_batch then
    update slot_layer set quantity = quantity + pieces, filled_at = greatest(filled_at, moved)
      where place_id = at_place and product_id = of_product and sequence = last_one.sequence;
    return doubt;
  end if;
  insert into slot_layer (place_id, product_id, sequence, batch, quantity, filled_at)
    values (at_place, of_product, coalesce(last_one.sequence, 0) + 1, named_batch, pieces, moved);
  return doubt;
end $$;

-- One visit to one machine.
create table stock_count (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine,
  scope text not null check (scope in ('all', 'cycle', 'slots')),
  state text not null default 'counting' check (state in ('counting', 'recounting', 'review', 'posted', 'cancelled')),
  is_open boolean generated always as (state in ('counting', 'recounting', 'review')) stored,
  opened_by bigint references app_user on delete set null,
  opened_at timestamptz not null,
  counted_at timestamptz,
  posted_by bigint references app_user on delete set null,
  posted_at timestamptz,
  reason text not null default '' check (length(reason) <= 200),
  version int not null default 1,
  unique (id, is_open),
  check ((state = 'posted') = (posted_at is not null))
);
create index stock_count_machine on stock_count (machine_id, id);
create index stock_count_merchant on stock_count (merchant_id, id);
create index stock_count_open on stock_count (id) where is_open;

-- What somebody found there. Null is not counted, which is not none.
create table stock_count_line (
  id bigint generated always as identity primary key,
  count_id bigint not null,
  is_open boolean not null default true,
  slot_code text not null,
  place_id bigint not null references place,
  product_id bigint not null references product,
  batch text check (length(batch) between 1 and 120),
  counted int check (counted between 0 and 9999),
  counted_at timestamptz,
  counted_by bigint references app_user on delete set null,
  needs_second boolean not null default false,
  second int check (second between 0 and 9999),
  second_at timestamptz,
  second_by bigint references app_user on delete set null,
  reason text check (reason in ('miscount', 'wrongSlot', 'jam', 'theft', 'damage', 'unrecordedFill', 'other')),
  note text not null default '' check (length(note) <= 200),
  pictures text[] not null default '{}' check (cardinality(pictures) <= 6),
  -- As it was posted: by the books at the moment of counting, found, and at cost. Null where nothing was posted.
  book int,
  delta int,
  cost_fen bigint,
  foreign key (count_id, is_open) references stock_count (id, is_open) on update cascade on delete cascade,
  check ((counted is null) = (counted_at is null)),
  check ((second is null) = (second_at is null)),
  check (counted_by is distinct from second_by or counted_by is null)
);
create index stock_count_line_count on stock_count_line (count_id, id);
create index stock_count_line_place on stock_count_line (place_id, product_id, id);
-- Two counts of the same would correct the same difference twice.
create unique index stock_count_line_open on stock_count_line (place_id, product_id, coalesce(batch, ''))
  where is_open;

create table stock_count_event (
  id bigint generated always as identity primary key,
  count_id bigint not null references stock_count on delete cascade,
  at timestamptz not null,
  verb text not null,
  user_id bigint references app_user on delete set null,
  note text not null default ''
);
create index stock_count_event_count on stock_count_event (count_id, id);
