-- Trace codes: each pack, case or pallet by the code that its maker printed, once in the whole network; what happened
-- to it; and that it was sold once.

create table trace_code (
  id bigint generated always as identity primary key,
  code text not null constraint trace_code_once unique check (length(code) between 1 and 120),
  scheme text not null check (scheme in ('cn20', 'gs1', 'other')),
  -- 1 is the pack that is sold, above it what holds it: what holds is always higher, so that nothing holds itself.
  level smallint not null default 1 check (level between 1 and 4),
  parent_id bigint,
  parent_level smallint,
  -- Whoever had it last, as far as anybody said.
  merchant_id bigint not null references merchant,
  product_id bigint references product,
  batch text check (length(batch) <= 120),
  -- Where it is; null where nobody said, and once it is nobody's of ours any more.
  place_id bigint references place,
  state text not null default 'unknown' check (state in ('unknown', 'in_stock', 'sold', 'returned', 'destroyed')),
  added_at timestamptz not null,
  changed_at timestamptz not null,
  unique (id, level),
  foreign key (parent_id, parent_level) references trace_code (id, level),
  check (parent_level > level),
  check ((parent_id is null) = (parent_level is null)),
  check (place_id is null or state in ('in_stock', 'returned'))
);
create index trace_code_merchant on trace_code (merchant_id, id);
create index trace_code_product on trace_code (product_id, batch, id);
create index trace_code_parent on trace_code (parent_id) where parent_id is not null;
create index trace_code_place on trace_code (place_id, product_id) where place_id is not null;
-- What somebody has to look at: sold, and nobody knows where it came from.
create index trace_code_unknown on trace_code (id) where state = 'unknown';

-- That a code was sold. What a machine says is a fact also where it can't be: then it does not count.
create table trace_sale (
  id bigint generated always as identity primary key,
  trace_code_id bigint not null references trace_code,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine,
  order_id bigint not null,
  order_no text not null,
  order_at timestamptz not null,
  index smallint not null,
  is_second boolean not null,
  sold_at timestamptz not null,
  counts boolean not null,
  -- It came back, and may be sold again.
  ended_at timestamptz,
  unique (order_id, index, is_second, trace_code_id)
);
-- A code is sold once in the whole network, whichever machines say so at the same time.
create unique index trace_sale_once on trace_sale (trace_code_id) where counts and ended_at is null;
create index trace_sale_code on trace_sale (trace_code_id, id);

-- The story of a code; only added to.
create table trace_event (
  id bigint generated always as identity primary key,
  trace_code_id bigint not null references trace_code,
  merchant_id bigint not null references merchant,
  verb text not null check (verb in ('receive', 'load', 'sell', 'sellAgain', 'takeBack', 'destroy')),
  at timestamptz not null,
  heard_at timestamptz not null,
  place_id bigint references place,
  product_id bigint references product,
  batch text,
  -- Of a sale its order; of other things the paper or message that says so.
  reference text not null default '' check (length(reference) <= 120),
  note text not null default '' check (length(note) <= 200),
  user_id bigint
);
create index trace_event_code on trace_event (trace_code_id, id);
create trigger trace_event_kept before update or delete on trace_event
  for each statement execute function facts_are_kept();
select keep_facts_from_truncate();

alter table orders drop constraint orders_problem_check;
alter table orders add constraint orders_problem_check check (problem in ('undelivered', 'no_answer', 'late_result',
  'amount_mismatch', 'paid_late', 'dispensed_after_refund', 'unlawful_sale', 'goods_differ', 'sold_twice'));
alter table problem_case drop constraint problem_case_kind_check;
alter table problem_case add constraint problem_case_kind_check check (kind in ('undelivered', 'no_answer',
  'late_result', 'amount_mismatch', 'paid_late', 'dispensed_after_refund', 'unlawful_sale', 'goods_differ',
  'sold_twice'));
alter table order_item drop constraint order_item_wrong_check;
alter table order_item add constraint order_item_wrong_check check (wrong in ('notLawful', 'prescriptionMissing',
  'batchNotForSale', 'productUnknown', 'slotHoldsOther', 'traceSoldTwice'));
