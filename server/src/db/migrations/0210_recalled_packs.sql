-- A pack's code goes where the pack goes: what is scrapped, pulled, taken back or missed by a count is in stock no
-- longer. By trigger, as layers are, so that no road out of a place forgets it. A sale names its codes by itself.

alter table trace_code drop constraint trace_code_state_check;
alter table trace_code add constraint trace_code_state_check check (state in ('unknown', 'in_stock', 'withdrawn',
  'unaccounted', 'sold', 'returned', 'destroyed'));
alter table trace_event drop constraint trace_event_verb_check;
alter table trace_event add constraint trace_event_verb_check check (verb in ('receive', 'load', 'sell', 'sellAgain',
  'takeBack', 'destroy', 'withdraw', 'remove', 'lose'));

-- How many pieces lie there that may be the packs of this batch: its own, and those of which nobody has said the batch.
create function pieces_of_batch(at_place bigint, of_product bigint, of_batch text) returns int language sql stable as $$
  select case when of_batch is null then l.quantity else l.quantity - coalesce((
    select sum(b.quantity)::int from batch_level b
    where b.place_id = at_place and b.product_id = of_product and b.batch <> of_batch), 0) end
  from stock_level l where l.place_id = at_place and l.product_id = of_product;
$$;

-- While fewer are left than there are codes nobody can say which of them went; once none is left all of them have.
-- What went by one cause has gone by it; by several, which pack went how is not known and a person's scan says it.
create function stock_move_trace() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if not exists (select from moved v join trace_code c on c.place_id = v.from_place_id and c.product_id = v.product_id
    where v.cause in ('scrap', 'remove', 'transfer', 'count', 'test', 'free')) then
    return null;
  end if;
  with gone as materialized (
    select c.id, c.merchant_id, c.product_id, c.batch, c.place_id, how.verb, how.moved_at, how.reference, how.user_id
    from (select distinct from_place_id, product_id from moved) t
    join trace_code c on c.place_id = t.from_place_id and c.product_id = t.product_id and c.state = 'in_stock'
    join lateral (
      select case when min(v.cause) <> max(v.cause) then 'lose' when min(v.cause) = 'scrap' then 'withdraw'
          when min(v.cause) in ('remove', 'transfer') then 'remove' else 'lose' end as verb,
        max(v.moved_at) as moved_at, max(v.reference) as reference, max(v.user_id) as user_id
      from moved v where v.from_place_id = c.place_id and v.product_id = c.product_id
        and v.cause in ('scrap', 'remove', 'transfer', 'count', 'test', 'free')
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
  select g.id, g.merchant_id, g.verb, g.moved_at, g.moved_at, g.place_id, g.product_id, g.batch, g.reference, g.user_id
  from gone g order by g.id;
  return null;
end $$;
create trigger stock_move_trace after insert on stock_move referencing new table as moved
  for each statement execute function stock_move_trace();

-- What recalls and write-offs had taken out before, and was still said to be in stock.
with gone as materialized (
  select c.id, c.merchant_id, c.product_id, c.batch, c.place_id, max(out.at) as at, max(out.reference) as reference
  from trace_code c join (
    select t.place_id, b.product_id, b.number as batch, t.settled_at as at, 'recall/' || t.recall_id as reference
    from recall_target t join recall r on r.id = t.recall_id and not r.is_drill
    join medicine_batch b on b.id = r.batch_id where t.state = 'pulled'
    union all
    select place_id, product_id, batch, decided_at, 'writeOff/' || id from write_off where state = 'done') out
  on out.place_id = c.place_id and out.product_id = c.product_id and out.batch = c.batch
  where c.state = 'in_stock' and coalesce(pieces_of_batch(c.place_id, c.product_id, c.batch), 0) <= 0
  group by 1, 2, 3, 4, 5
), changed as (
  update trace_code c set place_id = null, changed_at = g.at, state = 'withdrawn' from gone g where c.id = g.id
)
insert into trace_event (trace_code_id, merchant_id, verb, at, heard_at, place_id, product_id, batch, reference)
select g.id, g.merchant_id, 'withdraw', g.at, g.at, g.place_id, g.product_id, g.batch, g.reference from gone g;

-- Who keeps a recalled batch in a warehouse or a bag is told what to put aside and where; machines and the field have
-- their commands and work orders. It can't wait and can't be switched off.
insert into message_type (code, name, title, body, variables, channels, can_wait, is_system, is_required)
select 'recall.pull',
  jsonb_build_object(
    'zh', '召回通知',
    'en', 'Recall',
    'fr', 'Rappel',
    'ko', '회수 알림'),
  jsonb_build_object(
    'zh', '{{kind}} {{no}}：{{product}} 批次 {{batch}}，请取出 {{pieces}} 件',
    'en', '{{kind}} {{no}}: {{product}}, batch {{batch}}, {{pieces}} pieces to put aside',
    'fr', '{{kind}} {{no}} : {{product}}, lot {{batch}}, {{pieces}} unités à mettre de côté',
    'ko', '{{kind}} {{no}}: {{product}} 배치 {{batch}}, {{pieces}}개 분리'),
  jsonb_build_object(
    'zh', '存放于：{{places}}。请于 {{due}} 前取出封存，并在“药品批次 › 召回”里逐处登记。',
    'en', 'They lie in: {{places}}. Put them aside by {{due}} and enter each place under Batches, Recalls.',
    'fr', 'Emplacements : {{places}}. Mettez-les de côté avant le {{due}} et saisissez chacun dans Lots, Rappels.',
    'ko', '보관 장소: {{places}}. {{due}}까지 분리 보관하고 배치 › 회수에서 장소별로 등록하세요.'),
  '{kind,no,product,batch,pieces,places,due}', '{web}', false, true, true
on conflict (code) do nothing;
