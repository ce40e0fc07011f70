-- Write-offs of so many pieces anywhere, of goods whose batch nobody knows too, with pictures and why they were refused
-- or reversed.

alter table write_off
  drop constraint write_off_batch_check,
  drop constraint write_off_why_check,
  drop constraint write_off_state_check,
  add constraint write_off_batch_check check (length(batch) <= 120),
  add constraint write_off_why_check check
    (why in ('expired', 'damaged', 'missing', 'quality', 'recalled', 'other')),
  add constraint write_off_state_check check (state in ('waiting', 'done', 'refused', 'reversed')),
  add column pictures text[] not null default '{}' check (cardinality(pictures) <= 5),
  add column end_reason text not null default '' check (length(end_reason) <= 200),
  add column reversed_by bigint references app_user on delete set null,
  add column reversed_at timestamptz,
  add constraint write_off_reversed check ((state = 'reversed') = (reversed_at is not null));

-- What lies somewhere without a batch is chosen from lists, whose rows have an id.
alter table stock_level add column id bigint generated always as identity constraint stock_level_id_key unique;

-- Who takes goods back from scrap or from a supplier brings back the packs that left with them.
alter table trace_event drop constraint trace_event_verb_check;
alter table trace_event add constraint trace_event_verb_check check (verb in ('receive', 'load', 'sell', 'sellAgain',
  'takeBack', 'destroy', 'withdraw', 'remove', 'lose', 'bringBack'));

create index trace_event_reference on trace_event (reference) where verb = 'withdraw';

create or replace function stock_move_trace() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (select from moved v join trace_code c on c.place_id = v.from_place_id and c.product_id = v.product_id
    where v.cause in ('scrap', 'remove', 'transfer', 'count', 'test', 'free', 'return')) then
    with gone as materialized (
      select c.id, c.merchant_id, c.product_id, c.batch, c.place_id, how.verb, how.moved_at, how.reference, how.user_id
      from (select distinct from_place_id, product_id from moved) t
      join trace_code c on c.place_id = t.from_place_id and c.product_id = t.product_id and c.state = 'in_stock'
      join lateral (
        select case when min(v.cause) <> max(v.cause) then 'lose' when min(v.cause) in ('scrap', 'return')
            then 'withdraw' when min(v.cause) in ('remove', 'transfer') then 'remove' else 'lose' end as verb,
          max(v.moved_at) as moved_at, max(v.reference) as reference, max(v.user_id) as user_id
        from moved v where v.from_place_id = c.place_id and v.product_id = c.product_id
          and v.cause in ('scrap', 'remove', 'transfer', 'count', 'test', 'free', 'return')
          and (v.batch is null or c.batch is null or v.batch = c.batch)
        having count(*) > 0) how on true
      where coalesce(pieces_of_batch(c.place_id, c.product_id, c.batch), 0) <= 0
      order by c.code for update of c
    ), changed as (
      update trace_code c set place_id = null, changed_at = g.moved_at,
        state = case g.verb when 'withdraw' then 'withdrawn' when 'lose' then 'unaccounted' else c.state end
      from gone g where c.id = g.id
    )
    insert into trace_event (trace_code_id, merchant_id, verb, at, heard_at, place_id, product_id, batch, reference,
      user_id)
    select g.id, g.merchant_id, g.verb, g.moved_at, g.moved_at, g.place_id, g.product_id, g.batch, g.reference,
      g.user_id from gone g order by g.id;
  end if;
  if exists (select from moved v join place f on f.id = v.from_place_id and not f.holds
    where v.cause = 'return') then
    with back as materialized (
      select c.id, c.merchant_id, c.product_id, c.batch, v.to_place_id, v.moved_at, v.reference, v.user_id
      from (select distinct v.reference, v.product_id, v.to_place_id, v.moved_at, v.user_id from moved v
        join place f on f.id = v.from_place_id and not f.holds where v.cause = 'return') v
      join trace_event e on e.reference = v.reference and e.verb = 'withdraw' and e.place_id = v.to_place_id
      join trace_code c on c.id = e.trace_code_id and c.product_id = v.product_id and c.state = 'withdrawn'
      -- Whatever was scanned since is newer than the books.
      where not exists (select from trace_event later where later.trace_code_id = c.id and later.id > e.id)
      order by c.code for update of c
    ), changed as (
      update trace_code c set state = 'in_stock', place_id = b.to_place_id, changed_at = b.moved_at
      from back b where c.id = b.id
    )
    insert into trace_event (trace_code_id, merchant_id, verb, at, heard_at, place_id, product_id, batch, reference,
      user_id)
    select b.id, b.merchant_id, 'bringBack', b.moved_at, b.moved_at, b.to_place_id, b.product_id, b.batch, b.reference,
      b.user_id from back b order by b.id;
  end if;
  return null;
end $$;
