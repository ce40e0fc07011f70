-- What a slot gets at its next service is priced with the rest: else it would begin at what was
-- true when it was planned.
alter table price_change_slot add column is_next boolean not null default false;
alter table price_change_slot drop constraint price_change_slot_change_id_slot_id_key;
alter table price_change_slot add constraint price_change_slot_once unique (change_id, slot_id, is_next);
create index slot_next_product on slot (next_product_id) where next_product_id is not null;
