-- Who wants a card, or another in the place of one: asked at a desk, decided by another person, then handed out.
create table card_application (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  member_id bigint not null references member,
  kind text not null check (kind in ('new', 'replacement')),
  type text not null check (type in ('ordinary', 'student', 'staff', 'test', 'gift')),
  level smallint not null check (level between 1 and 9),
  -- The card in whose place the new one stands.
  replaces bigint references member_card,
  note text not null default '' check (length(note) <= 200),
  state text not null check (state in ('submitted', 'approved', 'refused', 'withdrawn', 'issued')),
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  decided_by bigint references app_user,
  decided_at timestamptz,
  -- Why it was refused.
  reason text not null default '' check (length(reason) <= 200),
  card_id bigint unique references member_card,
  issued_by bigint references app_user,
  issued_at timestamptz,
  version int not null default 1,
  check ((kind = 'replacement') = (replaces is not null)),
  check ((state = 'issued') = (card_id is not null)),
  check (num_nulls(card_id, issued_at) in (0, 2)),
  check (num_nulls(decided_by, decided_at) in (0, 2)),
  check (decided_by is distinct from created_by),
  check (state not in ('approved', 'refused', 'issued') or decided_at is not null)
);
create index card_application_newest on card_application (merchant_id, id desc);
create index card_application_member on card_application (member_id);
create index card_application_waiting on card_application (merchant_id) where state = 'submitted';
-- One at a time: of a card, and of a kind of card for a member.
create unique index card_application_open on card_application (member_id, type)
  where kind = 'new' and state in ('submitted', 'approved');
create unique index card_application_open_card on card_application (replaces)
  where state in ('submitted', 'approved');
