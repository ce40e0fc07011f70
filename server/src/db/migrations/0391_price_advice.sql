-- At which price products would earn more, by the machines' own prices, and trials that tell.

create table price_advice (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  product_id bigint not null references product,
  verdict text not null check (verdict in ('raise', 'cut', 'keep', 'notEnough')),
  lacking text check (lacking in ('prices', 'machines', 'sales')),
  now_fen bigint not null check (now_fen > 0),
  advised_fen bigint check (advised_fen > 0),
  cost_fen bigint not null,
  -- Of all its machines in 30 days.
  gain_fen bigint not null,
  low_fen bigint,
  high_fen bigint,
  elasticity real,
  elasticity_low real,
  elasticity_high real,
  machines int not null,
  prices int not null,
  pieces int not null,
  demand jsonb not null,
  computed_at timestamptz not null,
  unique (merchant_id, product_id),
  check ((verdict = 'notEnough') = (lacking is not null)),
  check ((verdict in ('raise', 'cut')) = (advised_fen is not null))
);
create index price_advice_gain on price_advice (gain_fen desc, id desc);

create table price_trial (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  product_id bigint not null references product,
  state text not null default 'running' check (state in ('running', 'ended', 'stopped', 'undone')),
  from_fen bigint not null check (from_fen > 0),
  to_fen bigint not null check (to_fen > 0),
  stop_percent smallint not null check (stop_percent between 5 and 90),
  -- Whole days: from the day after it was begun.
  starts_on date not null,
  ends_on date not null,
  before_days smallint not null,
  change_id bigint not null references price_change,
  started_by bigint references app_user on delete set null,
  created_at timestamptz not null,
  ended_at timestamptz,
  check (ends_on >= starts_on),
  check (to_fen <> from_fen),
  check ((state = 'running') = (ended_at is null))
);
create unique index price_trial_running on price_trial (merchant_id, product_id) where state = 'running';
create index price_trial_product on price_trial (merchant_id, product_id, id desc);

create table price_trial_machine (
  trial_id bigint not null references price_trial on delete cascade,
  machine_id bigint not null references machine on delete cascade,
  is_control boolean not null,
  primary key (trial_id, machine_id)
);

-- Means and variances over the machines of a side, of what the product earned a day and how that changed.
create table price_trial_result (
  trial_id bigint not null references price_trial on delete cascade,
  is_control boolean not null,
  machines int not null check (machines >= 0),
  days int not null check (days >= 0),
  before_mean double precision not null,
  during_mean double precision not null,
  change_variance double precision not null check (change_variance >= 0),
  through date not null,
  primary key (trial_id, is_control)
);
