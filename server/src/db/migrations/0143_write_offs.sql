-- Goods scrapped, by whom and why; above a limit only once another person has agreed.
create table write_off (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  place_id bigint not null references place,
  product_id bigint not null references product,
  batch text not null check (length(batch) between 1 and 120),
  quantity int not null check (quantity > 0),
  -- At cost when it was asked for.
  cost_fen bigint not null check (cost_fen >= 0),
  why text not null check (why in ('expired', 'damaged', 'quality', 'recalled', 'other')),
  note text not null check (length(note) between 1 and 200),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused')),
  asked_by bigint references app_user on delete set null,
  asker text not null,
  asked_at timestamptz not null,
  decided_by bigint references app_user on delete set null,
  decider text,
  decided_at timestamptz,
  check ((state = 'waiting') = (decided_at is null))
);
-- One waits for each batch at each place.
create unique index write_off_waiting on write_off (place_id, product_id, batch) where state = 'waiting';
create index write_off_merchant on write_off (merchant_id, id);
create index write_off_product on write_off (product_id);
