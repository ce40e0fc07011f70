-- What happened, for the programs of others to read and to be told (docs/decisions/0072). Facts are noted in the
-- transaction that makes them, without an order; one turn-holder numbers them once they are committed, so that whoever
-- reads on from a number never misses what committed late.

-- Interfaces that do what they say. The others of the specification exchanged nothing: they are switched off, kept, and
-- can be set up no more until they do.
alter table integration_config alter column path drop not null;
update integration_config set state = 'disabled', version = version + 1
where child_class <> 'ship_request' and state = 'enabled';
alter table integration_config add constraint integration_config_works
  check (state = 'disabled' or child_class in ('ship_request', 'event_feed'));
create index integration_config_feed on integration_config (merchant_id) where child_class = 'event_feed';

-- Noted and not numbered yet.
create table event_noted (
  id bigint generated always as identity primary key,
  merchant_id bigint not null,
  -- Null for what belongs to no machine.
  machine_id bigint,
  kind text not null,
  -- The thing that it happened to, such as order:42: events of one thing are told in their order.
  object text not null,
  occurred_at timestamptz not null,
  data jsonb not null
);

create table event_log (
  number bigint generated always as identity,
  merchant_id bigint not null,
  machine_id bigint,
  kind text not null,
  object text not null,
  occurred_at timestamptz not null,
  numbered_at timestamptz not null,
  data jsonb not null,
  primary key (numbered_at, number)
) partition by range (numbered_at);
create index event_log_read on event_log (merchant_id, number);
create index event_log_number on event_log (number);
create trigger event_log_kept before update on event_log for each statement execute function facts_are_kept();

-- Months of it, now as after each migration; the job of the night goes on.
select ensure_partitions((now() - interval '13 months')::date, (now() + interval '2 months')::date);

-- The last number that is kept no more: whoever stands before it is told so.
create table event_horizon (
  id int primary key default 1 check (id = 1),
  number bigint not null default 0
);
insert into event_horizon default values;

-- What nobody reads is not noted: of a merchant, or a machine, it is from the day on which its first feed is set up.
create function event_is_read(merchant bigint, machine bigint) returns boolean language sql stable as $$
  select exists (select from integration_config c where c.merchant_id = merchant and c.child_class = 'event_feed'
    and (c.machine_id is null or c.machine_id = machine))
$$;

create function event_note(
  merchant bigint, machine bigint, kind text, object text, at timestamptz, data jsonb
) returns void language plpgsql as $$
begin
  insert into event_noted (merchant_id, machine_id, kind, object, occurred_at, data)
  values (merchant, machine, kind, object, at, data);
  perform pg_notify('aisle_live', '{"topic":"events"}');
end $$;

-- By triggers, whoever writes: no path of the code can forget one.
create function event_about_order(o orders) returns jsonb language sql stable as $$
  select jsonb_build_object('orderNo', o.order_no, 'machine', (select code from machine where id = o.machine_id),
    'businessType', o.business_type, 'method', o.method, 'items', o.item_count, 'totalFen', o.total_fen,
    'discountFen', o.discount_fen, 'paidFen', o.paid_fen, 'refundedFen', o.refunded_fen,
    'paymentState', o.payment_state, 'shipState', o.ship_state, 'problem', o.problem)
$$;

-- What came out of an order that was paid; null while nobody knows, and for a play that was lost.
create function event_of_shipping(ship_state text, paid_at timestamptz) returns text language sql immutable as $$
  select case when ship_state in ('completed', 'lottery_won') then 'order.dispensed'
    when ship_state in ('timeout', 'invalid') and paid_at is not null then 'order.failed' end
$$;

-- Machines tell sales by the hundred: they are asked about once a statement.
create function event_of_orders_made() returns trigger language plpgsql as $$
begin
  insert into event_noted (merchant_id, machine_id, kind, object, occurred_at, data)
  select o.merchant_id, o.machine_id, k.kind, 'order:' || o.id, k.at, event_about_order(o)
  from made join orders o on o.merchant_id = made.merchant_id and o.occurred_at = made.occurred_at and o.id = made.id
  cross join lateral (values (1, 'order.paid', o.paid_at), (2, event_of_shipping(o.ship_state, o.paid_at),
    coalesce(o.ship_received_at, o.finished_at, o.received_at))) k(place, kind, at)
  where made.paid_at is not null and k.kind is not null and exists (
    select from integration_config c where c.merchant_id = made.merchant_id and c.child_class = 'event_feed'
      and (c.machine_id is null or c.machine_id = made.machine_id))
  order by o.id, k.place;
  if found then
    perform pg_notify('aisle_live', '{"topic":"events"}');
  end if;
  return null;
end $$;
create trigger event_orders_made after insert on orders referencing new table as made for each statement
  execute function event_of_orders_made();

create function event_of_order() returns trigger language plpgsql as $$
declare
  shipped text := event_of_shipping(new.ship_state, new.paid_at);
begin
  if not event_is_read(new.merchant_id, new.machine_id) then return null; end if;
  if old.paid_at is null and new.paid_at is not null then
    perform event_note(new.merchant_id, new.machine_id, 'order.paid', 'order:' || new.id, new.paid_at,
      event_about_order(new));
  end if;
  if shipped is not null and old.ship_state <> new.ship_state then
    perform event_note(new.merchant_id, new.machine_id, shipped, 'order:' || new.id,
      coalesce(new.ship_received_at, new.finished_at, new.received_at), event_about_order(new));
  end if;
  return null;
end $$;
create trigger event_order_changed after update of paid_at, ship_state on orders for each row
  when (old.paid_at is null and new.paid_at is not null or old.ship_state <> new.ship_state)
  execute function event_of_order();

create function event_of_refund() returns trigger language plpgsql as $$
begin
  if not event_is_read(new.merchant_id, new.machine_id) then return null; end if;
  perform event_note(new.merchant_id, new.machine_id, 'refund.ended', 'order:' || new.order_id,
    coalesce(new.ended_at, new.decided_at, new.requested_at),
    jsonb_build_object('refundNo', new.refund_no, 'orderNo', new.order_no,
      'machine', (select code from machine where id = new.machine_id), 'amountFen', new.amount_fen,
      'cause', new.cause, 'state', new.state));
  return null;
end $$;
create trigger event_refund_made after insert on refund for each row
  when (new.state in ('refunded', 'paid_back', 'rejected')) execute function event_of_refund();
create trigger event_refund_ended after update of state on refund for each row
  when (old.state <> new.state and new.state in ('refunded', 'paid_back', 'rejected'))
  execute function event_of_refund();

create function event_of_machine() returns trigger language plpgsql as $$
declare
  owner bigint;
  code text;
  since timestamptz;
begin
  select m.merchant_id, m.code into owner, code from machine m where m.id = new.machine_id;
  if owner is null or not event_is_read(owner, new.machine_id) then return null; end if;
  since := coalesce(new.last_seen_at, now());
  perform event_note(owner, new.machine_id, case when new.is_connected then 'machine.online' else 'machine.offline' end,
    'machine:' || new.machine_id, since,
    jsonb_build_object('machine', code, 'lastSeenAt', to_jsonb(since)));
  return null;
end $$;
create trigger event_machine_turned after update of is_connected on machine_state for each row
  when (old.is_connected <> new.is_connected) execute function event_of_machine();

create function event_of_alarm() returns trigger language plpgsql as $$
begin
  if not event_is_read(new.merchant_id, new.machine_id) then return null; end if;
  perform event_note(new.merchant_id, new.machine_id,
    case when new.closed_at is null then 'alarm.opened' else 'alarm.closed' end,
    'alarm:' || new.id, coalesce(new.closed_at, new.opened_at),
    jsonb_build_object('alarm', new.id, 'machine', (select code from machine where id = new.machine_id),
      'cause', new.cause, 'slot', nullif(new.slot_code, ''), 'level', new.level,
      'openedAt', to_jsonb(new.opened_at), 'closedAt', to_jsonb(new.closed_at)));
  return null;
end $$;
create trigger event_alarm_opened after insert on alarm for each row execute function event_of_alarm();
create trigger event_alarm_closed after update of closed_at on alarm for each row
  when (old.closed_at is null and new.closed_at is not null) execute function event_of_alarm();

create function event_of_settlement() returns trigger language plpgsql as $$
begin
  if not event_is_read(new.merchant_id, null) then return null; end if;
  perform event_note(new.merchant_id, null, 'settlement.posted', 'settlement:' || new.id, new.posted_at,
    jsonb_build_object('settlement', new.id, 'day', new.business_day, 'method', new.method, 'orders', new.orders,
      'refunds', new.refunds, 'grossFen', new.gross_fen, 'refundFen', new.refund_fen,
      'feesFen', new.channel_fee_fen + new.function_fee_fen, 'taxFen', new.tax_fen, 'splitFen', new.split_fen,
      'netFen', new.net_fen));
  return null;
end $$;
create trigger event_settlement_posted after insert on settlement for each row execute function event_of_settlement();

-- Of slots, when one is empty or has something again: each piece would be an event beside its order's.
create function event_of_stock() returns trigger language plpgsql as $$
declare
  slot record;
begin
  select s.code, m.id as machine_id, m.merchant_id, m.code as machine into slot
  from slot s join machine m on m.id = s.machine_id where s.place_id = new.place_id and s.product_id = new.product_id;
  if slot.merchant_id is null or not event_is_read(slot.merchant_id, slot.machine_id) then return null; end if;
  perform event_note(slot.merchant_id, slot.machine_id,
    case when new.quantity > 0 then 'stock.back' else 'stock.empty' end,
    'slot:' || slot.machine_id || '/' || slot.code, now(),
    jsonb_build_object('machine', slot.machine, 'slot', slot.code,
      'product', (select code from product where id = new.product_id), 'quantity', new.quantity));
  return null;
end $$;
create trigger event_stock_turned after update of quantity on stock_level for each row
  when ((old.quantity > 0) <> (new.quantity > 0)) execute function event_of_stock();
