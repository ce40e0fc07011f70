-- Goods that came from suppliers, and what is owed for them.

create table goods_receipt (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  no text not null check (length(no) <= 40),
  supplier_id bigint not null,
  order_id bigint,
  warehouse_id bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'putAway', 'turnedDown', 'reversed')),
  delivery_note text not null default '' check (length(delivery_note) <= 60),
  note text not null default '' check (length(note) <= 200),
  -- Why another person looks at it before it is put away.
  second text[] not null default '{}' check (second <@ array['medicine', 'noOrder']),
  received_by bigint references app_user on delete set null,
  receiver text not null,
  received_at timestamptz not null,
  -- Who took it in or turned it down; the receiver's own where nobody else had to look.
  decided_by bigint references app_user on delete set null,
  decider text,
  decided_at timestamptz,
  reversed_at timestamptz,
  end_reason text not null default '' check (length(end_reason) <= 200),
  unique (merchant_id, no),
  unique (id, merchant_id, supplier_id),
  foreign key (supplier_id, merchant_id) references supplier (id, merchant_id),
  foreign key (warehouse_id, merchant_id) references warehouse (id, merchant_id),
  foreign key (order_id, merchant_id, supplier_id) references purchase_order (id, merchant_id, supplier_id),
  check ((state = 'waiting') = (decided_at is null)),
  check ((state = 'reversed') = (reversed_at is not null)),
  check (order_id is not null or 'noOrder' = any(second))
);
create index goods_receipt_merchant on goods_receipt (merchant_id, id);
create index goods_receipt_supplier on goods_receipt (supplier_id, id);
create index goods_receipt_order on goods_receipt (order_id) where order_id is not null;
create index goods_receipt_warehouse on goods_receipt (warehouse_id);
create index goods_receipt_waiting on goods_receipt (merchant_id) where state = 'waiting';
-- A delivery is written down once.
create unique index goods_receipt_delivery on goods_receipt (supplier_id, delivery_note)
  where delivery_note <> '' and state in ('waiting', 'putAway');

create table goods_receipt_line (
  receipt_id bigint not null references goods_receipt,
  line int not null check (line > 0),
  order_line int check (order_line > 0),
  product_id bigint not null references product,
  batch text not null default '' check (length(batch) <= 120),
  produced_on date,
  expires_on date check (expires_on >= produced_on),
  announced int not null check (announced >= 0),
  counted int not null check (counted >= 0),
  damaged int not null check (damaged >= 0),
  refused int not null check (refused >= 0),
  reason text not null default '' check (length(reason) <= 200),
  temperature_tenths int check (temperature_tenths between -600 and 800),
  codes text[] not null default '{}',
  -- Of a pack, with tax; and what the good pieces came to.
  price_fen bigint not null check (price_fen > 0),
  pack_units int not null check (pack_units > 0),
  cost_fen bigint not null check (cost_fen >= 0),
  primary key (receipt_id, line),
  unique (receipt_id, product_id, batch),
  check (counted + damaged + refused > 0),
  check (damaged + refused = 0 or reason <> ''),
  check (cardinality(codes) <= counted)
);
create index goods_receipt_line_product on goods_receipt_line (product_id, receipt_id);
-- A line is as it was written; what was wrong is reversed and written anew.
create trigger goods_receipt_line_kept before update or delete on goods_receipt_line
  for each statement execute function facts_are_kept();

-- What is owed to a supplier, item by item; below 0 it is a credit. The ledger's account of the supplier is their sum.
create table payable (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  supplier_id bigint not null,
  receipt_id bigint not null,
  amount_fen bigint not null check (amount_fen > 0),
  due_on date not null,
  booked_at timestamptz not null,
  -- On payments that stand, and of these what was paid.
  claimed_fen bigint not null default 0,
  paid_fen bigint not null default 0,
  reversed_at timestamptz,
  open_fen bigint not null generated always as
    (case when reversed_at is null then amount_fen - paid_fen else 0 end) stored,
  foreign key (supplier_id, merchant_id) references supplier (id, merchant_id),
  foreign key (receipt_id, merchant_id, supplier_id) references goods_receipt (id, merchant_id, supplier_id),
  constraint payable_most check (claimed_fen between 0 and amount_fen),
  check (paid_fen between 0 and claimed_fen),
  check (reversed_at is null or claimed_fen = 0)
);
create unique index payable_receipt on payable (receipt_id);
create index payable_merchant on payable (merchant_id, id);
create index payable_open on payable (supplier_id, due_on) where open_fen > 0;

alter table ledger_account drop constraint ledger_account_kind_check;
alter table ledger_account add constraint ledger_account_kind_check check (kind in (
    'clearing', 'channel_balance', 'payout_in_transit', 'bank', 'pending', 'available', 'withdrawing', 'fees',
    'channel_fee', 'suspense', 'cash_in_machine', 'cash_in_transit', 'cash_counted', 'cash_owned', 'card_liability',
    'gift_liability', 'card_due', 'coupon_cost', 'split_payable', 'tax_payable', 'loss', 'goods',
    'supplier_due', 'price_difference'));
alter table ledger_transfer drop constraint ledger_transfer_kind_check;
alter table ledger_transfer add constraint ledger_transfer_kind_check check (kind in (
    'sale', 'refund', 'fee', 'settlement', 'withdrawal', 'card_top_up', 'card_gift', 'card_move', 'card_settlement',
    'loss', 'statement', 'channel_fee', 'payout', 'bank_receipt', 'decision', 'write_off', 'adjustment', 'cash',
    'reversal', 'card_payout', 'goods_receipt', 'supplier_invoice', 'supplier_payment'));
