-- Recalls of batches: who wrote, started and closed each, the places it reached, and what was signed at its end.

create table medicine_batch_event (
  id bigint generated always as identity primary key,
  batch_id bigint not null references medicine_batch on delete cascade,
  at timestamptz not null,
  verb text not null,
  user_id bigint references app_user on delete set null,
  note text not null default '' check (length(note) <= 500)
);
create index medicine_batch_event_batch on medicine_batch_event (batch_id, id desc);

create table recall (
  id bigint generated always as identity primary key,
  -- Whose product it is.
  merchant_id bigint not null references merchant,
  batch_id bigint not null references medicine_batch,
  class text not null check (class in ('i', 'ii', 'iii')),
  is_drill boolean not null,
  state text not null default 'draft' check (state in ('draft', 'active', 'closed', 'cancelled')),
  reason text not null check (length(reason) between 1 and 200),
  summary text not null default '' check (length(summary) <= 500),
  created_by bigint references app_user on delete set null,
  created_at timestamptz not null,
  started_by bigint references app_user on delete set null,
  started_at timestamptz,
  due_at timestamptz,
  -- When its places were written down, right after it was started.
  spread_at timestamptz,
  closed_by bigint references app_user on delete set null,
  closed_at timestamptz,
  version int not null default 1,
  check ((state in ('active', 'closed')) = (started_at is not null)),
  check ((started_at is null) = (due_at is null)),
  check ((state = 'closed') = (closed_at is not null)),
  check (started_by <> created_by),
  check (closed_by <> started_by),
  check (closed_by <> created_by)
);
create index recall_merchant on recall (merchant_id, id desc);
create index recall_batch on recall (batch_id);
-- A drill never stands in the way of a recall.
create unique index recall_active on recall (batch_id, is_drill) where state = 'active';

create table recall_target (
  id bigint generated always as identity primary key,
  recall_id bigint not null references recall,
  place_id bigint not null references place,
  kind text not null check (kind in ('warehouse', 'replenisher', 'slot')),
  -- Of a slot.
  machine_id bigint references machine on delete set null,
  slot_code text,
  merchant_id bigint not null references merchant,
  -- Pieces by the books when it was started.
  book int not null check (book > 0),
  pulled int check (pulled >= 0),
  state text not null default 'pending'
    check (state in ('pending', 'notified', 'acknowledged', 'pulled', 'unreachable')),
  note text not null default '' check (length(note) <= 200),
  notified_at timestamptz,
  acknowledged_at timestamptz,
  settled_at timestamptz,
  settled_by bigint references app_user on delete set null,
  version int not null default 1,
  unique (recall_id, place_id),
  check ((state = 'pulled') = (pulled is not null))
);
create index recall_target_machine on recall_target (machine_id, recall_id);
create index recall_target_state on recall_target (recall_id, state, id);

create table recall_event (
  id bigint generated always as identity primary key,
  recall_id bigint not null references recall,
  at timestamptz not null,
  verb text not null,
  user_id bigint references app_user on delete set null,
  note text not null default '' check (length(note) <= 500),
  -- Pieces that came back or were destroyed.
  quantity int not null default 0
);
create index recall_event_recall on recall_event (recall_id, id desc);

-- What was done, as it was signed: each ties itself to the one before.
create table recall_proof (
  id bigint generated always as identity primary key,
  recall_id bigint not null unique references recall,
  record text not null,
  hash_before bytea not null,
  -- HMAC, under a key outside the database, of the hash before and the record.
  hash bytea not null,
  signed_at timestamptz not null
);
create trigger recall_proof_kept before update or delete on recall_proof
  for each statement execute function facts_are_kept();
select keep_facts_from_truncate();

-- Work that a recall asks for: an order a machine.
alter table repair_order drop constraint repair_order_source_check;
alter table repair_order
  add constraint repair_order_source_check check (source in ('alarm', 'person', 'plan', 'recall', 'recall_drill')),
  add recall_id bigint references recall,
  add constraint repair_order_recall check ((recall_id is not null) = (source in ('recall', 'recall_drill')));
create unique index repair_order_recall_machine on repair_order (recall_id, machine_id) where recall_id is not null;

-- A person who takes pieces of one batch out of a slot knows which: only what a machine says is doubted.
create or replace function take_layers(at_place bigint, of_product bigint, pieces int, named_batch text,
  moved timestamptz, why text, by_reference text) returns boolean language plpgsql as $$
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
      is_borne_out := front is null or front = named_batch or why not in ('vend', 'free', 'test');
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
