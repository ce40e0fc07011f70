-- Plays for a stake, drawn from seeds that are committed before they are used and revealed afterwards; claims at the
-- counter; and the figures of both (docs/decisions/0019).

-- One seed a machine and business day. While it is in use only its hash is readable; the seed itself is sealed.
create table lottery_series (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine on delete cascade,
  business_day date not null,
  seed_hash text not null check (seed_hash ~ '^[0-9a-f]{64}$'),
  sealed_seed bytea not null,
  -- In hex, once it is revealed.
  seed text check (seed ~ '^[0-9a-f]{64}$'),
  committed_at timestamptz not null,
  revealed_at timestamptz,
  unique (machine_id, business_day),
  check ((seed is null) = (revealed_at is null)),
  -- What is revealed is what was committed, or the row is refused.
  check (seed is null or seed_hash = encode(sha256(decode(seed, 'hex')), 'hex'))
);
create index lottery_series_hidden on lottery_series (business_day) where revealed_at is null;

-- One play: what it was about, what was drawn, what became of the prize.
create table lottery_play (
  -- Its order's.
  id bigint primary key,
  order_no text not null unique,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine on delete cascade,
  product_id bigint not null references product,
  slot_code text not null,
  series_id bigint not null references lottery_series,
  business_day date not null,
  -- As they were set when the play was opened.
  odds_permille int not null check (odds_permille between 1 and 1000),
  stake_fen bigint not null check (stake_fen > 0),
  prize_fen bigint not null check (prize_fen > 0),
  cost_fen bigint not null check (cost_fen >= 0),
  state text not null default 'opened' check (state in ('opened', 'won', 'lost', 'void')),
  number int check (number between 0 and 999),
  prize_state text not null default 'none'
    check (prize_state in ('none', 'shipping', 'dispensed', 'owed', 'collected')),
  opened_at timestamptz not null,
  drawn_at timestamptz,
  check ((state in ('won', 'lost')) = (number is not null) and (number is null) = (drawn_at is null)),
  -- Nobody chooses: the number decides, and the number follows from the seed.
  check (number is null or (state = 'won') = (number < odds_permille)),
  check ((prize_state = 'none') = (state <> 'won'))
);
create index lottery_play_machine on lottery_play (machine_id, id);
create index lottery_play_day on lottery_play (business_day, machine_id);
create index lottery_play_series on lottery_play (series_id);
create index lottery_play_owed on lottery_play (id) where prize_state = 'owed';

-- A prize that did not come out of the machine and is asked for at the counter.
create table lottery_claim (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  play_id bigint not null references lottery_play on delete cascade,
  claimant text not null check (length(claimant) between 1 and 40),
  phone text not null default '' check (length(phone) <= 20),
  note text not null check (length(note) between 1 and 200),
  pictures text[] not null check (cardinality(pictures) between 1 and 5),
  state text not null default 'pending' check (state in ('pending', 'passed', 'rejected')),
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  reviewed_by bigint references app_user,
  reviewed_at timestamptz,
  review_note text not null default '' check (length(review_note) <= 200),
  -- Where the prize was taken from; null: from outside the stock that is kept here.
  place_id bigint references place,
  check ((state = 'pending') = (reviewed_at is null) and (reviewed_at is null) = (reviewed_by is null)),
  check (reviewed_by <> created_by)
);
-- A prize is collected once, whatever was refused before.
create unique index lottery_claim_one on lottery_claim (play_id) where state in ('pending', 'passed');
create index lottery_claim_play on lottery_claim (play_id);
create index lottery_claim_pending on lottery_claim (merchant_id) where state = 'pending';

-- Written with the draw, under the lock of the other rollups (docs/decisions/0003).
create table rollup_day_lottery (
  business_day date not null,
  machine_id bigint not null references machine on delete cascade,
  product_id bigint not null,
  odds_permille int not null,
  merchant_id bigint not null,
  plays bigint not null,
  wins bigint not null,
  stake_fen bigint not null,
  -- Purchase price of what was won.
  cost_fen bigint not null,
  prize_fen bigint not null,
  primary key (business_day, machine_id, product_id, odds_permille)
) with (fillfactor = 50);
create index rollup_day_lottery_machine on rollup_day_lottery (machine_id, business_day);

create function lottery_series_keep() returns trigger language plpgsql as $$
begin
  if (new.machine_id, new.business_day, new.seed_hash, new.sealed_seed, new.committed_at)
      is distinct from (old.machine_id, old.business_day, old.seed_hash, old.sealed_seed, old.committed_at)
    or (old.revealed_at is not null and (new.seed, new.revealed_at) is distinct from (old.seed, old.revealed_at)) then
    raise exception 'a committed seed is not changed' using errcode = 'check_violation';
  end if;
  if new.revealed_at is not null and exists (
    select 1 from lottery_play where series_id = new.id and state = 'opened') then
    raise exception 'a seed with open plays is not revealed' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger lottery_series_keep before update on lottery_series
  for each row execute function lottery_series_keep();

create function lottery_play_keep() returns trigger language plpgsql as $$
begin
  if (new.order_no, new.machine_id, new.product_id, new.series_id, new.odds_permille, new.stake_fen, new.prize_fen,
      new.cost_fen, new.opened_at, new.business_day)
    is distinct from (old.order_no, old.machine_id, old.product_id, old.series_id, old.odds_permille, old.stake_fen,
      old.prize_fen, old.cost_fen, old.opened_at, old.business_day)
    or (old.state <> 'opened' and (new.state, new.number, new.drawn_at)
      is distinct from (old.state, old.number, old.drawn_at)) then
    raise exception 'a play is drawn once and keeps its terms' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger lottery_play_keep before update on lottery_play for each row execute function lottery_play_keep();

create function lottery_play_open() returns trigger language plpgsql as $$
begin
  if exists (select 1 from lottery_series where id = new.series_id and revealed_at is not null) then
    raise exception 'nobody plays on a seed that is known' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger lottery_play_open before insert on lottery_play for each row when (new.state = 'opened')
  execute function lottery_play_open();
