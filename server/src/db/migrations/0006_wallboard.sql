-- Which tab each open wallboard shows. A board says so again when it comes back, so nothing is lost with a crash.
create unlogged table board_client (
  client_id text primary key check (length(client_id) between 8 and 64),
  tab smallint not null check (tab between 0 and 5),
  merchant_id bigint not null,
  seen_at timestamptz not null
);
create index board_client_age on board_client (seen_at);
