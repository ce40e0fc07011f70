-- A merchant looks at what it was settled, confirms it or disputes orders of it; and each order keeps what it was
-- charged (docs/decisions/0067).

alter table settlement
  add column state text not null default 'open' check (state in ('open', 'confirmed', 'lapsed')),
  add column confirmed_by bigint references app_user,
  add column confirmed_at timestamptz,
  add column version int not null default 1,
  add constraint settlement_confirmed check ((state = 'open') = (confirmed_at is null)
    and (state = 'confirmed') = (confirmed_by is not null));
-- Newest first, of all and of a merchant.
create index settlement_newest on settlement ((business_day - date '2000-01-01') desc, id desc);
create index settlement_merchant_newest on settlement (merchant_id, (business_day - date '2000-01-01') desc, id desc);
create index settlement_open on settlement (posted_at) where state = 'open';

-- Null where a fee was known for the day alone: what was settled before orders kept their own.
alter table settled_item
  add column channel_fee_fen bigint check (channel_fee_fen >= 0),
  add column function_fee_fen bigint check (function_fee_fen >= 0),
  add column tax_fen bigint check (tax_fen >= 0),
  add column id bigint generated always as (reference * 2 + case kind when 'refund' then 1 else 0 end) stored;
create unique index settled_item_page on settled_item (settlement_id, id);
drop index settled_item_settlement;

create table settlement_dispute (
  id bigint generated always as identity primary key,
  settlement_id bigint not null references settlement,
  merchant_id bigint not null references merchant,
  item_kind text not null default 'order' check (item_kind = 'order'),
  order_id bigint not null,
  order_no text not null,
  reason text not null check (length(reason) between 2 and 200),
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'refused', 'withdrawn')),
  raised_by bigint not null references app_user,
  raised_at timestamptz not null,
  -- By which of the usual ways it is put right.
  correction text check (correction in ('refund', 'difference', 'other')),
  answer text check (length(answer) between 2 and 200),
  answered_by bigint references app_user,
  answered_at timestamptz,
  version int not null default 1,
  foreign key (item_kind, order_id) references settled_item (kind, reference),
  check ((state = 'accepted') = (correction is not null)),
  check ((state in ('accepted', 'refused')) = (answer is not null)),
  check ((state in ('accepted', 'refused')) = (answered_by is not null)),
  check ((state = 'waiting') = (answered_at is null)),
  constraint settlement_dispute_two_sides check (answered_by <> raised_by)
);
create unique index settlement_dispute_once on settlement_dispute (settlement_id, order_id) where state = 'waiting';
create index settlement_dispute_of on settlement_dispute (settlement_id, id desc);
create index settlement_dispute_waiting on settlement_dispute (id) where state = 'waiting';
create index settlement_dispute_merchant on settlement_dispute (merchant_id, id desc);

-- What was settled stays as it was; only its confirmation comes later, and never over a dispute that waits.
create function settlement_kept() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - '{state,confirmed_by,confirmed_at,version}'::text[])
      is distinct from (to_jsonb(old) - '{state,confirmed_by,confirmed_at,version}'::text[]) then
    raise exception 'settlement % stays as it was posted', old.id using errcode = 'check_violation';
  end if;
  if old.state <> 'open' or exists (
      select 1 from settlement_dispute where settlement_id = old.id and state = 'waiting') then
    raise exception 'settlement % is confirmed or disputed', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger settlement_kept before update on settlement for each row execute function settlement_kept();

create function settlement_dispute_open() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from settlement s join settled_item i on i.settlement_id = s.id
      where s.id = new.settlement_id and s.merchant_id = new.merchant_id and s.state = 'open'
        and i.kind = new.item_kind and i.reference = new.order_id) then
    raise exception 'settlement % is confirmed, or the order is not in it', new.settlement_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger settlement_dispute_open before insert on settlement_dispute
  for each row execute function settlement_dispute_open();
