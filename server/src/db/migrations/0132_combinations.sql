-- Medicines sold together, and what a pharmacy offers.

create table combination (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  category_id bigint references category,
  name text not null check (length(name) between 1 and 80),
  price_fen bigint not null check (price_fen > 0),
  note text not null default '' check (length(note) <= 200),
  state text not null default 'active' check (state in ('active', 'stopped')),
  version int not null default 1,
  created_at timestamptz not null,
  constraint combination_merchant_id_name_key unique (merchant_id, name)
);
create index combination_category on combination (category_id);

create table combination_item (
  combination_id bigint not null references combination on delete cascade,
  product_id bigint not null references product,
  quantity smallint not null check (quantity between 1 and 5),
  primary key (combination_id, product_id)
);
create index combination_item_product on combination_item (product_id);

-- What a pharmacy says of a medicine that it may sell; without a row it is offered as its owner does.
create table medicine_offer (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  product_id bigint not null references product on delete cascade,
  price_fen bigint check (price_fen > 0),
  remark text not null default '' check (length(remark) <= 200),
  state text not null default 'active' check (state in ('active', 'stopped')),
  version int not null default 1,
  created_at timestamptz not null,
  constraint medicine_offer_merchant_id_product_id_key unique (merchant_id, product_id)
);
create index medicine_offer_product on medicine_offer (product_id);
