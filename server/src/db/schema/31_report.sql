-- Exports: requests, the files they made, and short-lived addresses of those files (docs/decisions/0031).

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
  -- A report whose process died goes on behind the last page that it kept. Who makes it now: the name of its files
  -- without their endings. A maker that finds another's has lost the report.
  maker text,
  -- The list is read on behind this; null before its first page, and at its end.
  kept_cursor text,
  -- How much of the maker's file holds whole pages; what stands behind it is cut off.
  kept_bytes bigint not null default 0 check (kept_bytes >= 0),
  -- The rows in it. What a person is shown as done never goes back, this does when the file is lost.
  kept_rows int not null default 0 check (kept_rows >= 0),
  -- The whole list is in the file: what is left needs no question to the database.
  is_read boolean not null default false,
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
