-- Of medicines what prescriptions need: their facts, their batches and how much of a group one person may have.

-- What is known of a product that is a medicine.
create table medicine (
  product_id bigint primary key references product on delete cascade,
  approval_number text not null default '' check (length(approval_number) <= 40),
  dosage_form text not null default '' check (length(dosage_form) <= 40),
  -- International names in small letters: two medicines with a common one are a duplicate.
  ingredients text[] not null default '{}',
  -- Medicines of one group count together towards what a person may have (real_name_limit).
  limit_group text check (length(limit_group) between 2 and 40),
  storage text not null default 'room' check (storage in ('room', 'cool', 'cold')),
  -- What a dose is counted in, and how many of it a pack holds.
  dose_unit text not null default '' check (length(dose_unit) <= 12),
  units_per_pack int not null default 1 check (units_per_pack > 0),
  max_daily_units numeric(8, 2) check (max_daily_units > 0),
  max_days int check (max_days > 0),
  min_age int check (min_age between 1 and 120),
  not_for text[] not null default '{}' check (not_for <@ array['pregnant', 'lactating', 'liver', 'kidney'])
);

-- Two ingredients that one person should not have together; the lesser name stands first.
create table ingredient_pair (
  first text not null,
  second text not null,
  primary key (first, second),
  check (first < second)
);

create table medicine_batch (
  id bigint generated always as identity primary key,
  product_id bigint not null references product,
  number text not null check (length(number) between 1 and 120),
  produced_on date,
  expires_on date not null,
  state text not null default 'normal' check (state in ('normal', 'locked', 'recalled')),
  reason text not null default '' check (length(reason) <= 200),
  changed_by bigint references app_user on delete set null,
  changed_at timestamptz not null,
  version int not null default 1,
  unique (product_id, number),
  check (produced_on is null or produced_on <= expires_on)
);
create index medicine_batch_expiry on medicine_batch (expires_on);

-- How much of a batch lies where: the sum of its moves, kept with them. A vend whose batch nobody knows lowers only
-- stock_level; what is left is then the last to expire, since what expires first goes out first.
create table batch_level (
  place_id bigint not null references place,
  product_id bigint not null references product,
  batch text not null,
  quantity int not null,
  primary key (place_id, product_id, batch)
) with (fillfactor = 60);
create index batch_level_batch on batch_level (product_id, batch) where quantity > 0;

-- How many packs of a group one person may have in so many days, over all machines of a merchant; a merchant without
-- a rule of its own has the platform's (merchant null).
create table real_name_limit (
  id bigint generated always as identity primary key,
  merchant_id bigint references merchant,
  limit_group text not null check (length(limit_group) between 2 and 40),
  packs int not null check (packs > 0),
  days int not null check (days > 0)
);
create unique index real_name_limit_group on real_name_limit (coalesce(merchant_id, 0), limit_group);

-- Locked while a person's packs are counted; the person is a keyed hash and nothing else.
create table real_name_person (
  merchant_id bigint not null references merchant,
  person_hash bytea not null,
  limit_group text not null,
  primary key (merchant_id, person_hash, limit_group)
);

create table real_name_take (
  order_id bigint not null,
  limit_group text not null,
  merchant_id bigint not null,
  person_hash bytea not null,
  packs int not null check (packs >= 0),
  taken_at timestamptz not null,
  primary key (order_id, limit_group),
  foreign key (merchant_id, person_hash, limit_group) references real_name_person on delete cascade
);
create index real_name_take_person on real_name_take (merchant_id, person_hash, limit_group, taken_at);
create index real_name_take_age on real_name_take (taken_at);

-- Whoever moves a batch has its stock_level locked already: that trigger's name comes first. Joins by key alone, as
-- ledger_entry_apply.
create function stock_move_batch() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into batch_level as l (place_id, product_id, batch, quantity)
  select p.id, m.product_id, m.batch, sum(case when p.id = m.to_place_id then m.quantity else -m.quantity end)
  from moved m join product d on d.id = m.product_id and d.kind = 'medicine'
  join place p on p.id in (m.from_place_id, m.to_place_id) and p.holds
  where m.batch is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (place_id, product_id, batch) do update set quantity = l.quantity + excluded.quantity;
  return null;
end $$;
create trigger stock_move_batch after insert on stock_move
  referencing new table as moved for each statement execute function stock_move_batch();

insert into real_name_limit (merchant_id, limit_group, packs, days) values (null, 'ephedrine', 2, 7);
