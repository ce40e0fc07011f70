-- Prescriptions: written by a doctor, reviewed by a pharmacist, spent at machines (docs/decisions/0018).

create table prescription (
  id bigint generated always as identity primary key,
  -- Whoever knows it may fetch the medicines: 60 bits of it are drawn.
  code text not null unique check (length(code) between 12 and 40),
  merchant_id bigint not null references merchant,
  state text not null default 'draft'
    check (state in ('draft', 'submitted', 'approved', 'rejected', 'dispensed', 'expired', 'cancelled')),
  doctor_id bigint not null references app_user,
  hospital_id bigint references hospital,
  department text not null default '' check (length(department) <= 40),
  -- Name, id number and telephone, sealed under a key outside the database; hashes, under another such key, find them.
  patient_sealed bytea not null,
  patient_masked text not null check (length(patient_masked) between 1 and 60),
  patient_name_hash bytea not null,
  patient_id_masked text not null default '' check (length(patient_id_masked) <= 24),
  patient_id_hash bytea,
  sex text not null check (sex in ('female', 'male', 'unknown')),
  birth_year int not null check (birth_year between 1900 and 2200),
  patient_facts text[] not null default '{}' check (patient_facts <@ array['pregnant', 'lactating', 'liver', 'kidney']),
  allergies text[] not null default '{}',
  condition text not null check (length(condition) between 1 and 400),
  advice text not null default '' check (length(advice) <= 1000),
  -- How often all of it may be had, and the days that lie between.
  uses int not null default 1 check (uses between 1 and 24),
  interval_days int not null default 0 check (interval_days between 0 and 180),
  uses_opened int not null default 0,
  last_dispensed_at timestamptz,
  amended_from bigint references prescription,
  created_at timestamptz not null,
  submitted_at timestamptz,
  expires_at timestamptz not null,
  -- The content that the reviewer signed; what it is sold on must still be that.
  reviewed_by bigint references app_user,
  reviewed_at timestamptz,
  reviewed_hash bytea,
  version int not null default 1,
  check (uses_opened between 0 and uses),
  check ((uses = 1) = (interval_days = 0)),
  check (state in ('draft', 'cancelled', 'expired') or submitted_at is not null),
  constraint prescription_not_own check (reviewed_by is distinct from doctor_id),
  constraint prescription_reviewed check (state not in ('approved', 'dispensed')
    or (reviewed_by is not null and reviewed_at is not null and reviewed_hash is not null))
);
create index prescription_queue on prescription (submitted_at, id) where state = 'submitted';
create index prescription_merchant on prescription (merchant_id, id desc);
create index prescription_doctor on prescription (doctor_id, id desc);
create index prescription_hospital on prescription (hospital_id, id desc) where hospital_id is not null;
create index prescription_patient on prescription (patient_name_hash, id desc);
create index prescription_person on prescription (patient_id_hash, id desc) where patient_id_hash is not null;
create index prescription_expiry on prescription (expires_at)
  where state in ('draft', 'submitted', 'approved', 'rejected');
create unique index prescription_amended on prescription (amended_from)
  where amended_from is not null and state not in ('cancelled', 'expired');

create table prescription_item (
  prescription_id bigint not null references prescription on delete cascade,
  index smallint not null check (index between 0 and 4),
  product_id bigint not null references product,
  -- Packs a use.
  quantity int not null check (quantity between 1 and 20),
  dose numeric(8, 2) not null check (dose > 0),
  times_a_day int not null check (times_a_day between 1 and 12),
  days int not null check (days between 1 and 180),
  usage text not null default '' check (length(usage) <= 120),
  -- Of all uses that were opened so far.
  allowed int not null default 0,
  held int not null default 0 check (held >= 0),
  dispensed int not null default 0 check (dispensed >= 0),
  -- Came out although nothing was left: a result that came after a person had let its use go.
  excess int not null default 0 check (excess >= 0),
  primary key (prescription_id, index),
  unique (prescription_id, product_id),
  constraint prescription_item_left check (held + dispensed <= allowed)
);
create index prescription_item_product on prescription_item (product_id);

-- Who did what to it; of a review also the content that was signed, and what had been warned of.
create table prescription_event (
  id bigint generated always as identity primary key,
  prescription_id bigint not null references prescription,
  verb text not null
    check (verb in ('write', 'edit', 'submit', 'approve', 'reject', 'cancel', 'expire', 'amend', 'release', 'print')),
  at timestamptz not null,
  user_id bigint references app_user,
  reason text not null default '' check (length(reason) <= 200),
  content_hash bytea,
  signature bytea,
  licence_number text not null default '',
  warnings jsonb not null default '[]',
  check ((verb in ('approve', 'reject')) = (signature is not null)),
  check (signature is null or (content_hash is not null and user_id is not null))
);
create index prescription_event_of on prescription_event (prescription_id, id);
create trigger prescription_event_kept before update or delete on prescription_event
  for each statement execute function facts_are_kept();

-- An order that was sold on a prescription, with its business day, for the figures.
create table prescription_fill (
  order_id bigint primary key,
  prescription_id bigint not null references prescription,
  merchant_id bigint not null references merchant,
  machine_id bigint not null,
  occurred_at timestamptz not null,
  business_day date not null,
  doctor_id bigint not null,
  hospital_id bigint,
  is_dispensed boolean not null default false,
  settled_at timestamptz
);
create index prescription_fill_of on prescription_fill (prescription_id, occurred_at);
create index prescription_fill_day on prescription_fill (business_day, merchant_id) where is_dispensed;

-- Piece by piece: what of it was held, came out, or was let go.
create table prescription_fill_item (
  order_id bigint not null references prescription_fill on delete cascade,
  index smallint not null,
  product_id bigint not null,
  price_fen bigint not null check (price_fen >= 0),
  -- unknown: the machine has not said; it stays held until it does or a pharmacist lets it go.
  state text not null default 'held' check (state in ('held', 'unknown', 'dispensed', 'free')),
  batch text,
  trace_code text,
  primary key (order_id, index)
);
-- A code sells once (domain rules, section 5); it is looked for, not refused: the piece is with the customer.
create index prescription_fill_trace on prescription_fill_item (trace_code) where trace_code is not null;

-- Figures of prescription sales: what came out, on the business day of its order. Kept by the database when the
-- transaction commits, under the one lock of all figures, so that whoever waits for it holds all else (decisions/0003).
create table rollup_day_prescription (
  business_day date not null,
  merchant_id bigint not null,
  doctor_id bigint not null,
  hospital_id bigint not null default 0,
  product_id bigint not null,
  packs bigint not null,
  sold_fen bigint not null,
  primary key (business_day, merchant_id, doctor_id, hospital_id, product_id)
) with (fillfactor = 50);

create table rollup_day_prescription_order (
  business_day date not null,
  merchant_id bigint not null,
  doctor_id bigint not null,
  hospital_id bigint not null default 0,
  orders bigint not null,
  primary key (business_day, merchant_id, doctor_id, hospital_id)
) with (fillfactor = 50);

-- What is on its way or approved is not written over: a change is a copy with a review of its own.
create function prescription_kept() returns trigger language plpgsql as $$
begin
  if old.state not in ('draft', 'rejected') and
    (old.doctor_id, old.hospital_id, old.department, old.patient_sealed, old.sex, old.birth_year, old.patient_facts,
      old.allergies, old.condition, old.advice, old.uses, old.interval_days) is distinct from
    (new.doctor_id, new.hospital_id, new.department, new.patient_sealed, new.sex, new.birth_year, new.patient_facts,
      new.allergies, new.condition, new.advice, new.uses, new.interval_days) then
    raise exception 'prescription % has left its draft', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger prescription_kept before update on prescription for each row execute function prescription_kept();

-- And so are its items.
create function prescription_item_kept() returns trigger language plpgsql as $$
begin
  if exists (select from prescription p where p.id = coalesce(new.prescription_id, old.prescription_id)
    and p.state not in ('draft', 'rejected')) then
    raise exception 'prescription has left its draft' using errcode = 'check_violation';
  end if;
  return coalesce(new, old);
end $$;
create trigger prescription_item_kept before insert or delete
  or update of prescription_id, index, product_id, quantity, dose, times_a_day, days, usage on prescription_item
  for each row execute function prescription_item_kept();

create function prescription_fill_item_figures() returns trigger language plpgsql as $$
declare
  packs int := (new.state = 'dispensed')::int;
begin
  if tg_op = 'UPDATE' then packs := packs - (old.state = 'dispensed')::int; end if;
  if packs = 0 then return null; end if;
  perform pg_advisory_xact_lock(7601);
  insert into rollup_day_prescription as r
    (business_day, merchant_id, doctor_id, hospital_id, product_id, packs, sold_fen)
  select f.business_day, f.merchant_id, f.doctor_id, coalesce(f.hospital_id, 0), new.product_id, packs,
    packs * new.price_fen
  from prescription_fill f where f.order_id = new.order_id
  on conflict (business_day, merchant_id, doctor_id, hospital_id, product_id) do update
    set packs = r.packs + excluded.packs, sold_fen = r.sold_fen + excluded.sold_fen;
  return null;
end $$;
create constraint trigger prescription_fill_item_figures after insert or update of state on prescription_fill_item
  deferrable initially deferred for each row execute function prescription_fill_item_figures();

create function prescription_fill_figures() returns trigger language plpgsql as $$
declare
  orders int := new.is_dispensed::int;
begin
  if tg_op = 'UPDATE' then orders := orders - old.is_dispensed::int; end if;
  if orders = 0 then return null; end if;
  perform pg_advisory_xact_lock(7601);
  insert into rollup_day_prescription_order as r (business_day, merchant_id, doctor_id, hospital_id, orders)
  values (new.business_day, new.merchant_id, new.doctor_id, coalesce(new.hospital_id, 0), orders)
  on conflict (business_day, merchant_id, doctor_id, hospital_id) do update set orders = r.orders + excluded.orders;
  return null;
end $$;
create constraint trigger prescription_fill_figures after insert or update of is_dispensed on prescription_fill
  deferrable initially deferred for each row execute function prescription_fill_figures();
