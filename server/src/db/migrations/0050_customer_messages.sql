-- What customers are told through a WeChat official account: the way to WeChat, who follows, and who paid an order.

alter table official_account
  -- WeChat has other addresses for other regions.
  add column address text not null default 'https://api.weixin.qq.com' check (address ~ '^https?://[^/]+$'),
  -- Names the account in the address at which WeChat tells of followers; the token signs what it tells, sealed.
  add column notify_key text not null default replace(gen_random_uuid()::text, '-', '') unique,
  add column sealed_token bytea,
  -- What opens WeChat's calls for two hours, sealed; shared by all processes.
  add column sealed_access bytea,
  add column access_until timestamptz,
  add check ((sealed_access is null) = (access_until is null));

create table account_follower (
  account_id bigint not null references official_account on delete cascade,
  open_id text not null check (length(open_id) between 1 and 128),
  is_following boolean not null,
  -- In front of which machine, where the code that was scanned names one.
  machine_id bigint references machine on delete set null,
  -- By WeChat's clock: what it tells late or twice does not undo what came after.
  changed_at timestamptz not null,
  primary key (account_id, open_id)
);
create index account_follower_machine on account_follower (machine_id) where machine_id is not null;

-- Under which name of the official account's the customer of an order paid: forgotten after a month.
create table order_payer (
  order_id bigint primary key,
  account_id bigint not null references official_account on delete cascade,
  merchant_id bigint not null,
  occurred_at timestamptz not null,
  open_id text not null check (length(open_id) between 1 and 128),
  -- What the customer was told, or could not be for want of a template.
  told text[] not null default '{}',
  kept_at timestamptz not null
);
create index order_payer_account on order_payer (account_id);
create index order_payer_kept on order_payer (kept_at);

alter table outbox_message
  drop constraint outbox_message_channel_check,
  add constraint outbox_message_channel_check check (channel in ('web', 'sms', 'email', 'app', 'wechat')),
  add column account_id bigint references official_account on delete set null;
create index outbox_message_account on outbox_message (account_id) where account_id is not null;
