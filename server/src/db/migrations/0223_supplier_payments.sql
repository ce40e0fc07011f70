-- Invoices of suppliers and what was paid to them.

create table supplier_invoice (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  supplier_id bigint not null,
  number text not null check (length(number) between 1 and 40),
  issued_on date not null,
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'refused')),
  amount_fen bigint not null check (amount_fen > 0),
  agreed_fen bigint not null,
  difference_fen bigint not null generated always as (amount_fen - agreed_fen) stored,
  note text not null default '' check (length(note) <= 200),
  end_reason text not null default '' check (length(end_reason) <= 200),
  written_by bigint references app_user on delete set null,
  writer text not null,
  written_at timestamptz not null,
  decided_by bigint references app_user on delete set null,
  decider text,
  decided_at timestamptz,
  unique (id, merchant_id, supplier_id),
  foreign key (supplier_id, merchant_id) references supplier (id, merchant_id),
  check ((state = 'waiting') = (decided_at is null))
);
create unique index supplier_invoice_number on supplier_invoice (supplier_id, number) where state <> 'refused';
create index supplier_invoice_merchant on supplier_invoice (merchant_id, id);

alter table payable
  drop constraint payable_amount_fen_check,
  drop constraint payable_most,
  drop constraint payable_check,
  add column kind text not null default 'receipt' check (kind in ('receipt', 'difference')),
  add column invoice_id bigint,
  alter column receipt_id drop not null,
  add foreign key (invoice_id, merchant_id, supplier_id) references supplier_invoice (id, merchant_id, supplier_id),
  add check (case kind when 'receipt' then receipt_id is not null and amount_fen > 0
    else receipt_id is null and invoice_id is not null and amount_fen <> 0 end),
  -- What is owed and what is credited, each up to itself.
  add constraint payable_most check (claimed_fen between least(amount_fen, 0) and greatest(amount_fen, 0)),
  add constraint payable_paid check (paid_fen between least(claimed_fen, 0) and greatest(claimed_fen, 0));
drop index payable_open;
create index payable_open on payable (supplier_id, due_on) where open_fen <> 0;
create index payable_invoice on payable (invoice_id) where invoice_id is not null;

create table supplier_payment (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  no text not null check (length(no) <= 40),
  supplier_id bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'paid', 'refused', 'returned')),
  amount_fen bigint not null check (amount_fen >= 0),
  paid_on date not null,
  -- As the bank's statement names it: money is paid once.
  bank_reference text not null check (length(bank_reference) between 1 and 60),
  note text not null default '' check (length(note) <= 200),
  end_reason text not null default '' check (length(end_reason) <= 200),
  written_by bigint references app_user on delete set null,
  writer text not null,
  written_at timestamptz not null,
  -- Null, with a time, where it was so little that nobody had to agree.
  decided_by bigint references app_user on delete set null,
  decider text,
  decided_at timestamptz,
  unique (merchant_id, no),
  foreign key (supplier_id, merchant_id) references supplier (id, merchant_id),
  check ((state = 'waiting') = (decided_at is null))
);
create unique index supplier_payment_reference on supplier_payment (merchant_id, bank_reference)
  where state in ('waiting', 'paid');
create index supplier_payment_merchant on supplier_payment (merchant_id, id);
create index supplier_payment_supplier on supplier_payment (supplier_id, id);

create table supplier_payment_line (
  payment_id bigint not null references supplier_payment,
  payable_id bigint not null references payable,
  amount_fen bigint not null check (amount_fen <> 0),
  primary key (payment_id, payable_id)
);
create index supplier_payment_line_payable on supplier_payment_line (payable_id);
create trigger supplier_payment_line_kept before update or delete on supplier_payment_line
  for each statement execute function facts_are_kept();
