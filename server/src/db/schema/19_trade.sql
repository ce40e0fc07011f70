-- Orders. Tables partitioned by month hold no unique key without the month, so numbers get their identity in narrow
-- tables.

create table order_number (
  order_no text primary key,
  order_id bigint generated always as identity unique,
  merchant_id bigint not null,
  machine_id bigint not null,
  occurred_at timestamptz not null
);

create table orders (
  id bigint not null,
  merchant_id bigint not null,
  machine_id bigint not null,
  order_no text not null,
  machine_order_no text not null,
  business_type text not null check (business_type in ('sale', 'pickup', 'prescription', 'lottery', 'member')),
  method text not null
    check (method in ('alipay', 'wechat', 'unionpay', 'pickup_code', 'member_card', 'cash', 'other')),
  payment_state text not null
    check (payment_state in ('unpaid', 'paid', 'refunding', 'refunded', 'partly_refunded', 'closed')),
  ship_state text not null
    check (ship_state in ('in_transit', 'completed', 'timeout', 'invalid', 'lottery_won', 'lottery_lost')),
  order_state text not null check (order_state in ('open', 'done', 'closed')),
  problem text check (problem in
    ('undelivered', 'no_answer', 'late_result', 'amount_mismatch', 'paid_late', 'dispensed_after_refund')),
  is_lottery boolean not null default false,
  is_offline boolean not null default false,
  item_count int not null check (item_count > 0),
  total_fen bigint not null check (total_fen >= 0),
  discount_fen bigint not null default 0 check (discount_fen between 0 and total_fen),
  paid_fen bigint not null default 0 check (paid_fen >= 0),
  refunded_fen bigint not null default 0,
  third_party_no text,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  business_day date not null,
  paid_at timestamptz,
  ship_sent_at timestamptz,
  ship_received_at timestamptz,
  finished_at timestamptz,
  -- What was paid with or sold on: a prescription, a pick-up code, a card.
  prescription_code text,
  tender_code text,
  -- Sum of the refunds that hold their part of what was paid; kept by the refunds themselves.
  held_fen bigint not null default 0,
  -- Where the machine stood when it sold: later that cannot be known.
  point_id bigint not null,
  primary key (merchant_id, occurred_at, id),
  -- Part of keys that travel through programs whose clocks count milliseconds.
  check (occurred_at = date_trunc('milliseconds', occurred_at)),
  check (refunded_fen between 0 and paid_fen),
  check (payment_state in ('unpaid', 'closed') or paid_at is not null),
  constraint orders_held check (held_fen between 0 and paid_fen and refunded_fen <= held_fen)
) partition by range (occurred_at);
create index orders_newest on orders (occurred_at, id);
create index orders_machine on orders (machine_id, occurred_at, id);
create index orders_problem on orders (occurred_at, id) where problem is not null;
create index orders_waiting on orders (occurred_at) where order_state = 'open';
create index orders_third_party on orders (third_party_no) where third_party_no is not null;
create index orders_tender on orders (tender_code, occurred_at) where tender_code is not null;
create index orders_prescription on orders (prescription_code, occurred_at) where prescription_code is not null;
-- For the line that says how whole a report is: sales that were told late.
create index orders_offline on orders (business_day, machine_id) where is_offline;
-- Which cards paid of late, for the board of customers: without it each look reads all orders of thirty days.
create index orders_card on orders (occurred_at, merchant_id, tender_code)
  where method = 'member_card' and tender_code is not null and paid_at is not null;
-- What leads to few of millions of orders: a list of a state that hardly any order is in read a year of orders for
-- nothing. Only unusual rows are kept here, so that an ordinary sale pays for none of it; whose they are and where they
-- happened stands in the index, so that a merchant's few are found among everybody's without reading the rows.
create index orders_payment_kind on orders (payment_state, occurred_at, id, machine_id, merchant_id)
  where payment_state <> 'paid';
create index orders_ship_kind on orders (ship_state, occurred_at, id, machine_id, merchant_id)
  where ship_state <> 'completed';
create index orders_business_kind on orders (business_type, occurred_at, id, machine_id, merchant_id)
  where business_type <> 'sale';
create index orders_problem_kind on orders (problem, occurred_at, id, machine_id, merchant_id)
  where problem is not null;
create index orders_method_kind on orders (method, occurred_at, id, machine_id, merchant_id)
  where method not in ('alipay', 'wechat');

create table order_item (
  merchant_id bigint not null,
  occurred_at timestamptz not null,
  order_id bigint not null,
  index smallint not null check (index between 0 and 19),
  slot_id bigint not null,
  product_id bigint not null,
  list_price_fen bigint not null check (list_price_fen >= 0),
  price_fen bigint not null check (price_fen >= 0),
  state text not null check (state in ('waiting', 'dispensed', 'jammed', 'failed', 'no_answer')),
  motor_code text,
  sensor_code text,
  batch text,
  trace_code text,
  shipped_at timestamptz,
  -- What the piece cost its merchant when it was sold: later that cannot be known.
  cost_fen bigint not null check (cost_fen >= 0),
  -- As the machine told with the result: how long it took and how often the motor turned.
  duration_ms int check (duration_ms >= 0),
  attempts smallint check (attempts between 1 and 9),
  -- Handed over from afar while the machine had not answered for the first command, which may still bring a piece out.
  redelivered_at timestamptz,
  primary key (merchant_id, occurred_at, order_id, index)
) partition by range (occurred_at);
-- From a figure of a product to its orders.
create index order_item_product on order_item (product_id, occurred_at);
create index order_item_failed on order_item (occurred_at, order_id, index)
  where state in ('jammed', 'failed', 'no_answer');
create index order_item_trace on order_item (trace_code, occurred_at) where trace_code is not null;
create index order_item_batch on order_item (batch, occurred_at) where batch is not null;

-- A second piece left the slot for one item, after it was handed over from afar. The item keeps what is known of the
-- first.
create table second_piece (
  order_id bigint not null,
  index smallint not null,
  merchant_id bigint not null references merchant,
  came_at timestamptz not null,
  motor_code text,
  sensor_code text,
  batch text,
  trace_code text,
  primary key (order_id, index)
);
create index second_piece_trace on second_piece (trace_code) where trace_code is not null;
create trigger second_piece_kept before update or delete on second_piece
  for each statement execute function facts_are_kept();

-- What stands in an earlier file and refers to this one.
alter table unclaimed_payment add foreign key (order_id) references order_number (order_id);
