-- Exports: requests, the files they made, and short-lived addresses of those files.

create table report_request (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  list text not null,
  query jsonb not null,
  columns text[] not null check (cardinality(columns) > 0),
  format text not null check (format in ('xlsx', 'csv')),
  language text not null check (language in ('zh', 'en', 'fr', 'ko')),
  state text not null default 'queued'
    check (state in ('queued', 'running', 'done', 'failed', 'cancelled', 'expired')),
  rows_done int not null default 0,
  rows_total int,
  -- Below the data directory's exports.
  file text,
  bytes bigint,
  requested_at timestamptz not null,
  -- Last progress: one that stands still lost its process and is begun again.
  touched_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz,
  check ((state = 'done') <= (file is not null and bytes is not null and expires_at is not null))
);
create index report_request_own on report_request (user_id, id desc);
create index report_request_open on report_request (touched_at) where state in ('queued', 'running');
create index report_request_old on report_request (expires_at) where state = 'done';

create table file_link (
  token_hash bytea primary key,
  file text not null,
  name text not null,
  expires_at timestamptz not null
);
