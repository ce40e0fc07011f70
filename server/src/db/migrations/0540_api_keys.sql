-- Keys with which programs of others call what people call (docs/decisions/0080). A program stands among the users, so
-- that whatever names who did something can name it; it signs in nowhere and is asked nothing, so it is never active.
alter table app_user drop constraint app_user_kind_check;
alter table app_user add constraint app_user_kind_check
  check (kind in ('platform_admin', 'merchant_admin', 'ordinary', 'doctor', 'program'));
alter table app_user add constraint app_user_program_check check (kind <> 'program' or state = 'disabled');

create table api_key (
  id bigint generated always as identity primary key,
  -- It sees the subtree of this merchant.
  merchant_id bigint not null references merchant,
  -- Under whom it writes.
  user_id bigint not null unique references app_user,
  name text not null check (length(name) between 1 and 60),
  -- What of the key is shown afterwards; the rest is kept as a digest alone.
  prefix text not null unique check (prefix ~ '^[a-z0-9]{8}$'),
  key_hash bytea not null unique,
  scopes text[] not null check (cardinality(scopes) between 1 and 400),
  calls_a_minute int not null check (calls_a_minute between 1 and 6000),
  expires_on date not null,
  -- It may never do more than this person may at the moment.
  answers_by bigint not null references app_user,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  revoked_by bigint references app_user,
  revoked_at timestamptz,
  last_used_at timestamptz,
  version int not null default 1,
  check ((revoked_at is null) = (revoked_by is null))
);
create index api_key_merchant on api_key (merchant_id);

-- Calls of a key in a minute, all processes together.
create table api_key_rate (
  key_id bigint not null references api_key on delete cascade,
  minute timestamptz not null,
  calls int not null check (calls > 0),
  primary key (key_id, minute)
);
create index api_key_rate_age on api_key_rate (minute);
