-- Which slots may sell at another price by now, so that the minute's job looks at those and not at all that are marked
-- down. Written by what changes it; many a time is once, and nobody waits for whoever takes them off.

create table markdown_due (
  id bigint generated always as identity primary key,
  slot_id bigint not null references slot on delete cascade,
  product_id bigint not null
);
create index markdown_ending on markdown (ends_at) where state = 'active';

-- Where nothing of the product is marked down nothing is noted.
create function note_markdown_due(slot_id bigint, product_id bigint) returns void language sql as $$
  insert into markdown_due (slot_id, product_id)
  select slot_id, product_id where exists (
    select from markdown k where k.product_id = note_markdown_due.product_id and k.state = 'active')
$$;

-- It begins or is over: wherever its product stands, and wherever it held.
create function markdown_moved() returns trigger language plpgsql as $$
begin
  insert into markdown_due (slot_id, product_id)
  select s.id, new.product_id from slot s where s.product_id = new.product_id
  union select o.slot_id, new.product_id from markdown_slot o where o.markdown_id = new.id and o.ended_at is null;
  return null;
end $$;
create trigger markdown_moved after update of state on markdown
  for each row when (old.state <> new.state) execute function markdown_moved();

create function slot_refilled() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then perform note_markdown_due(new.id, old.product_id); end if;
  perform note_markdown_due(new.id, new.product_id);
  return null;
end $$;
create trigger slot_planned after insert on slot
  for each row when (new.product_id is not null) execute function slot_refilled();
create trigger slot_planned_anew after update of product_id, place_id, machine_id on slot for each row
  when ((old.product_id, old.place_id, old.machine_id) is distinct from (new.product_id, new.place_id, new.machine_id))
  execute function slot_refilled();

-- The last piece is out, or the first of a batch is in.
create function slot_stock_turned() returns trigger language plpgsql as $$
begin
  perform note_markdown_due(s.id, new.product_id) from slot s where s.place_id = new.place_id;
  return null;
end $$;
create trigger stock_level_turned after update of quantity on stock_level
  for each row when ((old.quantity > 0) <> (new.quantity > 0)) execute function slot_stock_turned();
create trigger batch_level_turned after update of quantity on batch_level
  for each row when ((old.quantity > 0) <> (new.quantity > 0)) execute function slot_stock_turned();
create trigger batch_level_begun after insert on batch_level
  for each row when (new.quantity > 0) execute function slot_stock_turned();

create function machine_slots_turned() returns trigger language plpgsql as $$
begin
  perform note_markdown_due(s.id, s.product_id) from slot s where s.machine_id = new.id and s.product_id is not null;
  return null;
end $$;
create trigger machine_slots_turned after update of retired_at, merchant_id on machine for each row
  when ((old.retired_at, old.merchant_id) is distinct from (new.retired_at, new.merchant_id))
  execute function machine_slots_turned();

insert into markdown_due (slot_id, product_id)
select s.id, s.product_id from slot s where s.product_id in (select product_id from markdown where state = 'active');
