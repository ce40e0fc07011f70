-- Whom a merchant buys from, what papers they have shown, and what they deliver at which price.

create table supplier (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  name text not null check (length(name) between 1 and 80),
  -- The unified social credit code, which no two companies share.
  credit_code text not null default '' check (length(credit_code) <= 18),
  contact text not null default '' check (length(contact) <= 40),
  phone text not null default '' check (length(phone) <= 20),
  email text not null default '' check (length(email) <= 120),
  address text not null default '' check (length(address) <= 120),
  -- Days from the invoice until it is to be paid.
  terms_days int not null default 30 check (terms_days between 0 and 365),
  delivers_medicine boolean not null default false,
  remark text not null default '' check (length(remark) <= 200),
  state text not null default 'draft' check (state in ('draft', 'review', 'qualified', 'suspended', 'stopped')),
  bank text not null default '' check (length(bank) <= 80),
  account_holder text not null default '' check (length(account_holder) <= 80),
  -- The number is sealed; what may be read without opening it is its end.
  account_sealed bytea,
  account_tail text not null default '' check (length(account_tail) <= 4),
  submitted_by bigint references app_user on delete set null,
  version int not null default 1,
  created_at timestamptz not null,
  unique (merchant_id, name),
  -- For what hangs on it and has to be of the same merchant.
  unique (id, merchant_id),
  check ((account_sealed is null) = (account_tail = ''))
);
create unique index supplier_credit_code on supplier (merchant_id, credit_code) where credit_code <> '';

-- A paper as it was shown. It is never changed: what was wrong or is no longer good is revoked, and another is added.
create table supplier_paper (
  id bigint generated always as identity primary key,
  supplier_id bigint not null references supplier on delete cascade,
  kind text not null check (kind in
    ('business', 'medicineTrade', 'medicineMaking', 'quality', 'sales', 'foodTrade', 'other')),
  number text not null check (length(number) between 1 and 60),
  valid_from date not null,
  -- Null: long-term.
  valid_to date check (valid_to >= valid_from),
  -- Classes of medicine that it allows; none named: all.
  scope text[] not null default '{}' check (scope <@ array['rx', 'otc_a', 'otc_b']),
  pictures text[] not null default '{}' check (cardinality(pictures) <= 5),
  added_at timestamptz not null,
  added_by bigint references app_user on delete set null,
  revoked_at timestamptz,
  revoke_reason text check (length(revoke_reason) between 2 and 200),
  check ((revoked_at is null) = (revoke_reason is null))
);
create index supplier_paper_supplier on supplier_paper (supplier_id, kind);
create unique index supplier_paper_number on supplier_paper (supplier_id, kind, number, valid_from)
  where revoked_at is null;

-- What a supplier delivers. Prices, by pack, from a day on and from so many packs on.
create table supplier_product (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  supplier_id bigint not null,
  product_id bigint not null references product,
  supplier_code text not null default '' check (length(supplier_code) <= 40),
  pack_units int not null check (pack_units between 1 and 10000),
  minimum_packs int not null default 1 check (minimum_packs between 1 and 100000),
  lead_days int not null check (lead_days between 0 and 365),
  -- Whom to ask first where several deliver it: 1 before 2.
  preference int not null default 1 check (preference between 1 and 9),
  tax_permille int not null default 130 check (tax_permille between 0 and 500),
  state text not null default 'active' check (state in ('active', 'stopped')),
  version int not null default 1,
  created_at timestamptz not null,
  unique (supplier_id, product_id),
  foreign key (supplier_id, merchant_id) references supplier (id, merchant_id)
);
create index supplier_product_product on supplier_product (product_id);
create index supplier_product_merchant on supplier_product (merchant_id, id);

-- In force is the one that began last, of those that have begun and not ended: two are never in force at once.
create table supplier_price (
  supplier_product_id bigint not null references supplier_product on delete cascade,
  from_packs int not null check (from_packs >= 1),
  from_on date not null,
  to_on date check (to_on >= from_on),
  -- Of a pack, with tax.
  price_fen bigint not null check (price_fen between 1 and 1000000000),
  primary key (supplier_product_id, from_packs, from_on)
);
