-- What an issuer gives on top of what a holder puts on a card.
create table top_up_gift (
  id bigint generated always as identity primary key,
  version int not null default 1,
  created_at timestamptz not null,
  merchant_id bigint not null references merchant,
  name text not null check (length(name) between 1 and 40),
  -- Null: every kind that can be topped up.
  card_type text,
  from_fen bigint not null check (from_fen > 0),
  gift_fen bigint not null check (gift_fen > 0),
  from_day date not null,
  to_day date,
  state text not null default 'active' check (state in ('active', 'stopped')),
  unique (merchant_id, name),
  check (gift_fen <= from_fen),
  check (to_day >= from_day)
);

-- What a card of a kind begins with where nobody says otherwise; 0 is without a limit.
create table card_default (
  id bigint generated always as identity primary key,
  version int not null default 1,
  created_at timestamptz not null,
  merchant_id bigint not null references merchant,
  type text not null,
  level smallint not null check (level between 1 and 9),
  daily_count_limit int not null check (daily_count_limit >= 0),
  single_max_fen bigint not null check (single_max_fen >= 0),
  daily_amount_fen bigint not null check (daily_amount_fen >= 0),
  unique (merchant_id, type)
);
