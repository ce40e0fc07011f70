-- What is ordered from suppliers.

create table purchase_order (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  no text not null check (length(no) <= 40),
  supplier_id bigint not null,
  warehouse_id bigint not null,
  state text not null default 'draft' check (state in
    ('draft', 'submitted', 'approved', 'sent', 'partly', 'received', 'closed', 'cancelled')),
  due_on date not null,
  note text not null default '' check (length(note) <= 200),
  made_by bigint references app_user on delete set null,
  maker text not null,
  made_at timestamptz not null,
  submitted_at timestamptz,
  approved_by bigint references app_user on delete set null,
  -- Null also where it was so little that nobody had to agree.
  approver text,
  approved_at timestamptz,
  sent_how text check (sent_how in ('print', 'mail', 'message', 'phone')),
  sent_at timestamptz,
  ended_at timestamptz,
  end_reason text not null default '' check (length(end_reason) <= 200),
  version int not null default 1,
  unique (merchant_id, no),
  -- For receipts, which have to be of the same merchant and supplier.
  unique (id, merchant_id, supplier_id),
  foreign key (supplier_id, merchant_id) references supplier (id, merchant_id),
  foreign key (warehouse_id, merchant_id) references warehouse (id, merchant_id),
  check ((sent_how is null) = (sent_at is null)),
  check ((state in ('closed', 'cancelled')) = (ended_at is not null)),
  -- What was not approved and sent awaits nothing.
  check (state not in ('sent', 'partly', 'received', 'closed') or (approved_at is not null and sent_at is not null))
);
create index purchase_order_merchant on purchase_order (merchant_id, id);
create index purchase_order_supplier on purchase_order (supplier_id, id);
create index purchase_order_warehouse on purchase_order (warehouse_id);
create index purchase_order_open on purchase_order (due_on) where state in ('submitted', 'approved', 'sent', 'partly');

create table purchase_order_line (
  order_id bigint not null references purchase_order,
  line int not null check (line > 0),
  supplier_product_id bigint not null references supplier_product,
  product_id bigint not null references product,
  packs int not null check (packs between 1 and 100000),
  pack_units int not null check (pack_units between 1 and 10000),
  pieces int not null generated always as (packs * pack_units) stored,
  -- Of a pack, with tax; beside it what the price list asked for so many packs that day.
  price_fen bigint not null check (price_fen between 1 and 1000000000),
  list_fen bigint check (list_fen > 0),
  tax_permille int not null check (tax_permille between 0 and 500),
  -- Pieces that may be taken in of it: those ordered, and what the merchant takes above them.
  most int not null,
  -- In pieces: counted on receipts that stand, and of these what was taken in.
  claimed int not null default 0,
  received int not null default 0,
  primary key (order_id, line),
  unique (order_id, product_id),
  check (most >= packs * pack_units),
  constraint purchase_order_line_most check (claimed between 0 and most),
  check (received between 0 and claimed)
);
create index purchase_order_line_product on purchase_order_line (product_id, order_id);
create index purchase_order_line_supplier_product on purchase_order_line (supplier_product_id);

create table purchase_event (
  id bigint generated always as identity primary key,
  order_id bigint not null references purchase_order,
  at timestamptz not null,
  verb text not null,
  user_id bigint references app_user on delete set null,
  note text not null default '' check (length(note) <= 500)
);
create index purchase_event_order on purchase_event (order_id, id);
