-- What a slot would earn more with another product: by facts of four weeks, decided by a person, measured after.

create table recommendation (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine on delete cascade,
  slot_id bigint not null references slot,
  kind text not null check (kind in ('add', 'widen', 'replace')),
  state text not null default 'open' check (state in ('open', 'accepted', 'ignored')),
  -- Null: nothing better is known, and what stands there costs more than it earns.
  incoming_id bigint references product,
  -- Null: the slot is empty.
  outgoing_id bigint references product,
  price_fen bigint check (price_fen > 0),
  -- The similar ones: at such a place, that sell so much a day, of the same merchant and those below.
  place_kind text not null,
  level smallint not null,
  machines int not null check (machines >= 0),
  machines_with int not null check (machines_with between 0 and machines),
  -- To a slot and 30 days.
  incoming_fen bigint not null,
  incoming_pieces real not null check (incoming_pieces >= 0),
  outgoing_fen bigint not null,
  outgoing_pieces real not null check (outgoing_pieces >= 0),
  loss_fen bigint not null check (loss_fen >= 0),
  empty_permille int check (empty_permille between 0 and 1000),
  stood_since date,
  gain_fen bigint not null,
  low_fen bigint not null,
  high_fen bigint not null,
  computed_at timestamptz not null,
  decided_by bigint references app_user on delete set null,
  decided_at timestamptz,
  reason text not null default '' check (length(reason) <= 200),
  -- Since when it stands so, and what both products earned in 30 days before and since.
  begun_on date,
  before_fen bigint,
  seen_fen bigint,
  seen_days int not null default 0 check (seen_days between 0 and 28),
  check (incoming_id is distinct from outgoing_id),
  check ((price_fen is null) = (incoming_id is null)),
  check (gain_fen between low_fen and high_fen),
  check ((state = 'open') = (decided_at is null)),
  check ((state = 'ignored') = (reason <> ''))
);
create unique index recommendation_open on recommendation (slot_id) where state = 'open';
create index recommendation_machine on recommendation (machine_id);
create index recommendation_gain on recommendation (gain_fen desc, id desc);
create index recommendation_decided on recommendation (decided_at) where decided_at is not null;
