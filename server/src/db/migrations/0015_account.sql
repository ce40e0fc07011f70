-- One's own account: sessions that can be named, second factors, forgotten passwords, single sign-on, hand-over.

-- A name for people's lists; the hash stays the key.
alter table session add column id bigint generated always as identity;
create unique index session_id on session (id);
-- A session that may do nothing but this; it ends when that is done.
alter table session add column limited_to text check (limited_to in ('password'));

alter table sign_in_log drop constraint sign_in_log_outcome_check;
-- 'halfway': the password was right and the second factor asked for; 'factor': that was wrong.
alter table sign_in_log add constraint sign_in_log_outcome_check
  check (outcome in ('ok', 'wrong', 'code', 'throttled', 'disabled', 'halfway', 'factor'));
create index sign_in_log_user on sign_in_log (user_id, at desc) where user_id is not null;

-- The secret is AES-256-GCM under the key file. No code of `last_step` or an earlier time step is taken again.
create table second_factor (
  user_id bigint primary key references app_user on delete cascade,
  secret bytea not null,
  last_step bigint not null,
  confirmed_at timestamptz not null
);
create table second_factor_setup (
  user_id bigint primary key references app_user on delete cascade,
  secret bytea not null,
  expires_at timestamptz not null
);
create table recovery_code (
  user_id bigint not null references app_user on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Between the password and the second factor. `secret` where the factor is set up on the way.
create table second_factor_challenge (
  token_hash bytea primary key,
  user_id bigint not null references app_user on delete cascade,
  secret bytea,
  failures int not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index second_factor_challenge_expiry on second_factor_challenge (expires_at);

-- One a phone, known or not; 6 digits are few, so what is kept is a MAC under the key file.
create table phone_code (
  phone text primary key check (length(phone) between 1 and 32),
  code_mac bytea not null,
  failures int not null default 0,
  expires_at timestamptz not null
);
create index phone_code_expiry on phone_code (expires_at);

create table sso_provider (
  -- One for the platform.
  id int primary key default 1 check (id = 1),
  name text not null check (length(name) between 1 and 40),
  issuer text not null check (length(issuer) <= 300),
  client_id text not null check (length(client_id) between 1 and 200),
  client_secret bytea not null,
  scope text not null,
  account_claim text not null check (account_claim in ('preferred_username', 'email', 'phone_number', 'sub')),
  rule text not null check (rule in ('match', 'make')),
  merchant_id bigint references merchant,
  role_id bigint references role on delete restrict,
  is_enabled boolean not null,
  version int not null default 1,
  updated_at timestamptz not null,
  check (rule = 'match' or (merchant_id is not null and role_id is not null))
);

-- Who the provider says it is, once seen: a later change of names there gives nobody another's account here.
create table sso_identity (
  issuer text not null,
  subject text not null,
  user_id bigint not null references app_user on delete cascade,
  linked_at timestamptz not null,
  primary key (issuer, subject),
  unique (issuer, user_id)
);

-- On the way to the provider and back; nonce and code verifier never leave the server before they are used.
create table sso_journey (
  state_hash bytea primary key,
  browser_hash bytea not null,
  sealed bytea not null,
  redirect_uri text not null,
  provider_version int not null,
  ip text not null,
  expires_at timestamptz not null
);
create index sso_journey_expiry on sso_journey (expires_at);
create index sso_journey_address on sso_journey (ip, expires_at);

create table hand_over_ticket (
  ticket_hash bytea primary key,
  user_id bigint not null references app_user on delete cascade,
  -- The session that asked: the one that the ticket opens does not outlive it.
  opened_by bytea not null references session (token_hash) on delete cascade,
  audience text not null,
  expires_at timestamptz not null
);
create index hand_over_ticket_expiry on hand_over_ticket (expires_at);
