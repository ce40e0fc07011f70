-- The audit log: found quickly, never changed, sealed into a hash chain; and the platform's own alarms.

-- Who changed what, from where. Sealing into a hash chain is a job's work, never in the writer's way.
create table audit_log (
  id bigint generated always as identity,
  at timestamptz not null,
  merchant_id bigint not null,
  -- Null for what a job did.
  user_id bigint,
  ip text not null,
  action text not null,
  object_kind text not null,
  object_id text not null,
  before jsonb,
  after jsonb,
  trace_id text not null,
  primary key (merchant_id, at, id)
) partition by range (at);
create index audit_log_newest on audit_log (at desc, id desc);
create index audit_log_id on audit_log (id);
create index audit_log_user on audit_log (user_id, at desc, id desc);
create index audit_log_object on audit_log (object_kind, object_id, at desc, id desc);

-- Written with each row by the application, so that a row that came another way is never sealed.
create table audit_pending (
  log_id bigint primary key,
  at timestamptz not null
);

-- A link of the chain: rows that were sealed together.
create table audit_seal (
  id bigint generated always as identity primary key,
  last_seq bigint not null unique,
  rows int not null check (rows > 0),
  -- HMAC, under a key outside the database, of the seal before and of this one's digests.
  hash bytea not null,
  sealed_at timestamptz not null
);

-- Where each row stands in the chain, and what it said then.
create table audit_link (
  seq bigint primary key,
  log_id bigint not null unique,
  seal_id bigint not null references audit_seal,
  digest bytea not null
);
create index audit_link_seal on audit_link (seal_id);

-- What the nightly checks found, of the log's chain and of the books.
create table audit_check (
  id bigint generated always as identity primary key,
  about text not null check (about in ('log', 'books')),
  checked_at timestamptz not null,
  rows bigint not null,
  problems text[] not null
);

-- One row while a cause lasts. A cause that comes back opens a new one.
create table system_alarm (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('outbox_lag', 'outbox_failed', 'job_failed', 'seal_lag', 'audit_broken',
    'books_differ', 'gateway_silent')),
  cause text not null default '',
  facts jsonb not null,
  opened_at timestamptz not null,
  seen_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by bigint references app_user,
  note text check (length(note) <= 200),
  closed_at timestamptz,
  check ((acknowledged_at is null) = (acknowledged_by is null))
);
create unique index system_alarm_open on system_alarm (kind, cause) where closed_at is null;
create index system_alarm_newest on system_alarm (opened_at desc, id desc);

create function keep_audit() returns trigger language plpgsql as $$
begin
  raise exception 'audit rows are never changed' using errcode = 'restrict_violation';
end $$;
create trigger audit_log_kept before update or delete on audit_log for each row execute function keep_audit();

-- Everything that a row says, in one spelling whatever the server's time zone.
create function audit_digest(entry audit_log) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(entry.id, extract(epoch from entry.at), entry.merchant_id, entry.user_id,
    entry.ip, entry.action, entry.object_kind, entry.object_id, entry.before, entry.after, entry.trace_id)::text,
    'UTF8'))
$$;
