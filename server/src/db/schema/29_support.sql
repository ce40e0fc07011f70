-- What people tell us.

create table feedback (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  kind text not null check (kind in ('problem', 'suggestion', 'question', 'other')),
  body text not null check (length(body) between 1 and 200),
  contact text not null default '' check (length(contact) <= 100),
  -- Where in the product it was written, without host and query.
  page text not null default '' check (length(page) <= 300),
  state text not null default 'unprocessed'
    check (state in ('unprocessed', 'processing', 'timeout', 'solved', 'essence', 'deleted')),
  created_at timestamptz not null,
  version int not null default 1
);
create index feedback_merchant on feedback (merchant_id, id desc);
create index feedback_user on feedback (user_id);
