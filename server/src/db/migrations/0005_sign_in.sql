-- What signing in counts, and the one-time address of the first administrator.

-- Lives two minutes and means nothing after a crash, so it costs no write-ahead log: asking for codes is free to all.
alter table sign_in_challenge set unlogged;
create index sign_in_challenge_address on sign_in_challenge (ip, expires_at);

-- A day counts from its first failure, so that no choice of the hour gives two days' guesses.
alter table sign_in_counter drop column day;
alter table sign_in_counter drop column tries_today;
alter table sign_in_counter add column day_ends_at timestamptz not null;
alter table sign_in_counter add column failures_today int not null default 0;
create index sign_in_counter_age on sign_in_counter (day_ends_at);

-- Which accounts a subnet failed at: many in a short time are one guesser with one password for all.
create table sign_in_spray (
  subnet text not null,
  account_hash bytea not null,
  ends_at timestamptz not null,
  primary key (subnet, account_hash)
);
create index sign_in_spray_age on sign_in_spray (ends_at);

create table first_admin_link (
  token_hash bytea primary key,
  expires_at timestamptz not null,
  used_at timestamptz
);
