-- Goods that go back to the supplier they were bought from, and the credit for them.

create table supplier_return (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  no text not null check (length(no) <= 40),
  supplier_id bigint not null,
  warehouse_id bigint not null,
  state text not null default 'draft' check (state in ('draft', 'approved', 'sent', 'credited', 'cancelled')),
  why text not null check (why in ('expiring', 'quality', 'recalled', 'wrong', 'other')),
  note text not null default '' check (length(note) <= 200),
  made_by bigint references app_user on delete set null,
  maker text not null,
  made_at timestamptz not null,
  approved_by bigint references app_user on delete set null,
  approver text,
  approved_at timestamptz,
  sender text,
  sent_at timestamptz,
  -- As the supplier's paper names it.
  credit_note text not null default '' check (length(credit_note) <= 60),
  credited_fen bigint check (credited_fen > 0),
  ended_at timestamptz,
  end_reason text not null default '' check (length(end_reason) <= 200),
  unique (merchant_id, no),
  unique (id, merchant_id, supplier_id),
  foreign key (supplier_id, merchant_id) references supplier (id, merchant_id),
  foreign key (warehouse_id, merchant_id) references warehouse (id, merchant_id),
  check ((state in ('credited', 'cancelled')) = (ended_at is not null)),
  check ((state = 'credited') = (credited_fen is not null)),
  check (state not in ('sent', 'credited') or (approved_at is not null and sent_at is not null))
);
create index supplier_return_merchant on supplier_return (merchant_id, id);
create index supplier_return_supplier on supplier_return (supplier_id, id);
create index supplier_return_warehouse on supplier_return (warehouse_id);
create unique index supplier_return_credit_note on supplier_return (supplier_id, credit_note) where credit_note <> '';

-- Each line names the receipt that the pieces came on, and what they had cost there.
create table supplier_return_line (
  return_id bigint not null references supplier_return,
  line int not null check (line > 0),
  product_id bigint not null references product,
  -- Of medicine; empty for what has none.
  batch text not null default '' check (length(batch) <= 120),
  quantity int not null check (quantity > 0),
  receipt_id bigint not null,
  receipt_line int not null,
  cost_fen bigint not null check (cost_fen >= 0),
  primary key (return_id, line),
  unique (return_id, receipt_id, receipt_line),
  foreign key (receipt_id, receipt_line) references goods_receipt_line (receipt_id, line)
);
create index supplier_return_line_receipt on supplier_return_line (receipt_id, receipt_line);
create index supplier_return_line_product on supplier_return_line (product_id);
create trigger supplier_return_line_kept before update or delete on supplier_return_line
  for each statement execute function facts_are_kept();
select keep_facts_from_truncate();

-- What returns that stand took of a line that was received: never more than came on it.
create table goods_receipt_returned (
  receipt_id bigint not null,
  line int not null,
  counted int not null,
  returned int not null,
  primary key (receipt_id, line),
  foreign key (receipt_id, line) references goods_receipt_line (receipt_id, line),
  constraint goods_receipt_returned_most check (returned between 0 and counted)
);

alter table payable
  drop constraint payable_kind_check,
  drop constraint payable_check,
  add constraint payable_kind_check check (kind in ('receipt', 'difference', 'return')),
  add column return_id bigint,
  add foreign key (return_id, merchant_id, supplier_id) references supplier_return (id, merchant_id, supplier_id),
  add constraint payable_check check (case kind
    when 'receipt' then receipt_id is not null and return_id is null and amount_fen > 0
    when 'return' then return_id is not null and receipt_id is null and amount_fen < 0
    else receipt_id is null and return_id is null and invoice_id is not null and amount_fen <> 0 end);
create unique index payable_return on payable (return_id);

alter table ledger_transfer drop constraint ledger_transfer_kind_check;
alter table ledger_transfer add constraint ledger_transfer_kind_check check (kind in (
    'sale', 'refund', 'fee', 'settlement', 'withdrawal', 'card_top_up', 'card_gift', 'card_move', 'card_settlement',
    'loss', 'statement', 'channel_fee', 'payout', 'bank_receipt', 'decision', 'write_off', 'adjustment', 'cash',
    'reversal', 'card_payout', 'goods_receipt', 'supplier_invoice', 'supplier_payment', 'supplier_return'));
