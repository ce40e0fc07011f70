-- What stands in a slot of medicine is a queue of layers: a fill goes behind, a vend takes from the front.

create table slot_layer (
  place_id bigint not null references place,
  product_id bigint not null references product,
  -- The least stands in front.
  sequence bigint not null,
  -- Null: nobody has said.
  batch text,
  quantity int not null check (quantity > 0),
  filled_at timestamptz not null,
  primary key (place_id, product_id, sequence)
);
create index slot_layer_batch on slot_layer (product_id, batch);

-- The machine said something that the queue does not bear out: to be counted at the next visit, and until then every
-- layer has to be good for any to be sold.
create table layer_doubt (
  place_id bigint not null references place,
  product_id bigint not null references product,
  reason text not null check (reason in ('otherBatch', 'lateFill', 'count', 'mixed')),
  since timestamptz not null,
  primary key (place_id, product_id)
);

-- Where a move did not say of which batch it was, or said one that was not there: what the books took for it. With it
-- each batch that came in is accounted for to the piece, and a recall finds orders whose machine named no batch.
create table layer_taken (
  id bigint generated always as identity,
  moved_at timestamptz not null,
  place_id bigint not null,
  product_id bigint not null,
  -- Of the layer that it was taken from; null where that had none, or nothing was there.
  taken text,
  -- As the move named it.
  named text,
  quantity int not null check (quantity > 0),
  cause text not null,
  reference text not null,
  primary key (moved_at, id),
  check (taken is distinct from named)
) partition by range (moved_at);
create index layer_taken_batch on layer_taken (product_id, taken, moved_at);
create trigger layer_taken_kept before update or delete on layer_taken
  for each statement execute function facts_are_kept();
select keep_facts_from_truncate();

-- Takes from the front, of one batch where one is named; what is not there of it comes from the front all the same,
-- since it is gone. @returns whether the queue was borne out
create function take_layers(at_place bigint, of_product bigint, pieces int, named_batch text, moved timestamptz,
  why text, by_reference text) returns boolean language plpgsql as $$
declare layer record; part int; front text; left_over int := pieces; is_borne_out boolean := true;
  is_first boolean := true;
begin
  for layer in
    select sequence, batch, quantity from slot_layer where place_id = at_place and product_id = of_product
    order by case when named_batch is null or batch = named_batch then 0 when batch is null then 1 else 2 end, sequence
  loop
    exit when left_over = 0;
    if is_first and named_batch is not null then
      select batch into front from slot_layer where place_id = at_place and product_id = of_product
        order by sequence limit 1;
      is_borne_out := front is null or front = named_batch;
    end if;
    is_first := false;
    part := least(left_over, layer.quantity);
    left_over := left_over - part;
    if part = layer.quantity then
      delete from slot_layer where place_id = at_place and product_id = of_product and sequence = layer.sequence;
    else
      update slot_layer set quantity = quantity - part
        where place_id = at_place and product_id = of_product and sequence = layer.sequence;
    end if;
    if layer.batch is distinct from named_batch then
      insert into layer_taken (moved_at, place_id, product_id, taken, named, quantity, cause, reference)
        values (moved, at_place, of_product, layer.batch, named_batch, part, why, by_reference);
    end if;
  end loop;
  if left_over > 0 and named_batch is not null then
    insert into layer_taken (moved_at, place_id, product_id, taken, named, quantity, cause, reference)
      values (moved, at_place, of_product, null, named_batch, left_over, why, by_reference);
  end if;
  return is_borne_out;
end $$;

-- A fill goes behind; what a count finds too many belongs to the front, whose piece was thought gone.
create function put_layer(at_place bigint, of_product bigint, pieces int, named_batch text, moved timestamptz,
  why text) returns text language plpgsql as $$
declare last_one slot_layer; first_one slot_layer; doubt text;
begin
  select * into last_one from slot_layer where place_id = at_place and product_id = of_product
    order by sequence desc limit 1;
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

-- Layers come to what stock_level says, or to nothing where that is below 0: what had gone before it was filled comes
-- out of the front, and what nobody put in by a move stands in front without a batch.
create function square_layers(at_place bigint, of_product bigint, moved timestamptz) returns void language plpgsql as $$
declare wanted int; there int; first_sequence bigint; first_batch text;
begin
  select greatest(0, quantity) into wanted from stock_level where place_id = at_place and product_id = of_product;
  select coalesce(sum(quantity), 0), coalesce(min(sequence), 1) into there, first_sequence
    from slot_layer where place_id = at_place and product_id = of_product;
  if there > coalesce(wanted, 0) then
    perform take_layers(at_place, of_product, there - coalesce(wanted, 0), null, moved, 'debt', '');
  elsif there < wanted then
    select batch into first_batch from slot_layer
      where place_id = at_place and product_id = of_product and sequence = first_sequence;
    if found and first_batch is null then
      update slot_layer set quantity = quantity + wanted - there
        where place_id = at_place and product_id = of_product and sequence = first_sequence;
    else
      insert into slot_layer (place_id, product_id, sequence, batch, quantity, filled_at)
        values (at_place, of_product, first_sequence - 1, null, wanted - there, moved);
    end if;
  end if;
end $$;

-- batch_level of a slot is what its layers come to.
create function level_layers(at_place bigint, of_product bigint) returns void language sql as $$
  insert into batch_level as l (place_id, product_id, batch, quantity)
  select at_place, of_product, batch, sum(quantity) from slot_layer
  where place_id = at_place and product_id = of_product and batch is not null group by batch
  on conflict (place_id, product_id, batch) do update set quantity = excluded.quantity
    where l.quantity <> excluded.quantity;
  update batch_level l set quantity = 0
  where l.place_id = at_place and l.product_id = of_product and l.quantity <> 0 and not exists (
    select from slot_layer s where s.place_id = at_place and s.product_id = of_product and s.batch = l.batch);
$$;

-- One move of a medicine, at whichever of its ends is a slot; null is none.
create function move_layers(from_slot bigint, to_slot bigint, of_product bigint, pieces int, named_batch text,
  moved timestamptz, why text, by_reference text) returns void language plpgsql as $$
declare doubt text;
begin
  if from_slot is not null
    and not take_layers(from_slot, of_product, pieces, named_batch, moved, why, by_reference) then
    insert into layer_doubt (place_id, product_id, reason, since)
      values (from_slot, of_product, 'otherBatch', moved) on conflict do nothing;
  end if;
  if to_slot is not null then
    doubt := put_layer(to_slot, of_product, pieces, named_batch, moved, why);
    if doubt is not null then
      insert into layer_doubt (place_id, product_id, reason, since)
        values (to_slot, of_product, doubt, moved) on conflict do nothing;
    end if;
  end if;
end $$;

-- Whoever moves a batch has its stock_level locked already: that trigger's name comes first. Of goods that are no
-- medicine nothing is asked but what kind their products are, one look-up a product and not a move.
create or replace function stock_move_batch() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare medicines bigint[]; one record;
begin
  select array_agg(d.id) into medicines
  from (select distinct product_id from moved) p join product d on d.id = p.product_id and d.kind = 'medicine';
  if medicines is null then return null; end if;
  insert into batch_level as l (place_id, product_id, batch, quantity)
  select p.id, m.product_id, m.batch, sum(case when p.id = m.to_place_id then m.quantity else -m.quantity end)
  from moved m join place p on p.id in (m.from_place_id, m.to_place_id) and p.holds and p.kind <> 'slot'
  where m.batch is not null and m.product_id = any(medicines) group by 1, 2, 3 order by 1, 2, 3
  on conflict (place_id, product_id, batch) do update set quantity = l.quantity + excluded.quantity;
  for one in
    select v.*, case f.kind when 'slot' then f.id end as from_slot, case t.kind when 'slot' then t.id end as to_slot
    from moved v join place f on f.id = v.from_place_id join place t on t.id = v.to_place_id
    where v.product_id = any(medicines) and 'slot' in (f.kind, t.kind) order by v.id
  loop
    perform move_layers(one.from_slot, one.to_slot, one.product_id, one.quantity, one.batch, one.moved_at, one.cause,
      one.reference);
  end loop;
  perform square_layers(s.place_id, s.product_id, s.moved_at), level_layers(s.place_id, s.product_id)
  from (
    select p.id as place_id, v.product_id, max(v.moved_at) as moved_at
    from moved v join place p on p.id in (v.from_place_id, v.to_place_id) and p.kind = 'slot'
    where v.product_id = any(medicines) group by 1, 2 order by 1, 2
  ) s;
  return null;
end $$;

-- What was there before, from the moves: a vend without a batch had never lowered batch_level.
select ensure_partitions(coalesce(min(moved_at), now())::date, (now() + interval '40 days')::date) from stock_move;
do $$
declare one record;
begin
  for one in
    select v.*, case f.kind when 'slot' then f.id end as from_slot, case t.kind when 'slot' then t.id end as to_slot
    from stock_move v join product d on d.id = v.product_id and d.kind = 'medicine'
    join place f on f.id = v.from_place_id join place t on t.id = v.to_place_id
    where 'slot' in (f.kind, t.kind) order by v.moved_at, v.id
  loop
    perform move_layers(one.from_slot, one.to_slot, one.product_id, one.quantity, one.batch, one.moved_at, one.cause,
      one.reference);
  end loop;
  perform square_layers(s.place_id, s.product_id, now()), level_layers(s.place_id, s.product_id)
  from (
    select l.place_id, l.product_id from stock_level l join place p on p.id = l.place_id and p.kind = 'slot'
    join product d on d.id = l.product_id and d.kind = 'medicine' order by 1, 2
  ) s;
end $$;
