-- Both run for each slot whose stock turns. In the language SQL each call plans its statements anew, which took longer
-- than running them; in PL/pgSQL they are planned once a connection. What they do is the same.
create or replace function note_markdown_due(slot_id bigint, product_id bigint) returns void language plpgsql as $$
begin
  insert into markdown_due (slot_id, product_id)
  select note_markdown_due.slot_id, note_markdown_due.product_id where exists (
    select from markdown k where k.product_id = note_markdown_due.product_id and k.state = 'active');
end $$;

create or replace function level_layers(at_place bigint, of_product bigint) returns void language plpgsql as $$
begin
  insert into batch_level as l (place_id, product_id, batch, quantity)
  select at_place, of_product, s.batch, sum(s.quantity) from slot_layer s
  where s.place_id = at_place and s.product_id = of_product and s.batch is not null group by s.batch
  on conflict (place_id, product_id, batch) do update set quantity = excluded.quantity
    where l.quantity <> excluded.quantity;
  update batch_level l set quantity = 0
  where l.place_id = at_place and l.product_id = of_product and l.quantity <> 0 and not exists (
    select from slot_layer s where s.place_id = at_place and s.product_id = of_product and s.batch = l.batch);
end $$;
