-- What a customer says who stands before a machine that took the money: no account, one case, followed by whoever holds
-- its address.
create table customer_case (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine,
  -- Of the address on which it is followed; the same form sent twice has the same.
  token_hash bytea not null constraint customer_case_once unique check (length(token_hash) = 32),
  kind text not null check (kind in ('nothing', 'stuck', 'wrong', 'twice', 'other')),
  -- What the customer says it cost, and when it was.
  amount_fen bigint not null check (amount_fen between 1 and 100000),
  happened_at timestamptz not null,
  goods text not null default '' check (length(goods) <= 60),
  body text not null default '' check (length(body) <= 500),
  language text not null check (language in ('zh', 'en', 'fr', 'ko')),
  -- Sealed as customerCase:<hex of the token's hash>. With its keyed hash, by which other cases of the number are
  -- found, its end and the picture it is forgotten after 180 days.
  phone bytea,
  phone_hash bytea check (length(phone_hash) = 32),
  phone_end text not null default '' check (length(phone_end) <= 4),
  picture text check (picture ~ '^[0-9a-f]{64}\.(jpg|png)$'),
  forgotten_at timestamptz,
  state text not null default 'received' check (state in ('received', 'processing', 'refunded', 'answered', 'closed',
    'reopened')),
  -- The order that it is about, as the rule found it or a person chose it; no other case has it.
  order_id bigint constraint customer_case_order unique references order_number (order_id),
  -- In percent; none where a person chose.
  sureness smallint check (sureness between 0 and 100),
  evidence text[] not null default '{}' check (cardinality(evidence) <= 8),
  -- Why no money went back by itself.
  held text check (length(held) between 1 and 20),
  assignee_id bigint references app_user,
  -- Until when the customer is to hear of us; none once it is answered, paid back or closed.
  due_at timestamptz,
  closed_at timestamptz,
  -- Since when it waits: money that went back before that is known.
  open_since timestamptz not null,
  rank bigint not null default 0,
  version int not null default 1,
  created_at timestamptz not null,
  constraint customer_case_phone check ((phone is null) = (phone_hash is null)),
  constraint customer_case_sure check (order_id is not null or sureness is null),
  constraint customer_case_time check (
    happened_at between created_at - interval '31 days' and created_at + interval '1 hour'),
  constraint customer_case_over check ((state in ('refunded', 'answered', 'closed')) = (closed_at is not null)),
  constraint customer_case_promise check ((due_at is null) = (closed_at is not null)),
  constraint customer_case_forgotten check (forgotten_at is null or phone is null and picture is null)
);

-- What waits for us first, by its promise; what is over last, newest first.
create function rank_customer_case() returns trigger language plpgsql as $$
begin
  new.rank := case when new.closed_at is not null then 300000000000 - extract(epoch from new.closed_at)::bigint
    else extract(epoch from new.due_at)::bigint end;
  return new;
end $$;
create trigger customer_case_rank before insert or update on customer_case
  for each row execute function rank_customer_case();

create index customer_case_by_rank on customer_case (rank, id);
create index customer_case_merchant on customer_case (merchant_id, rank, id);
create index customer_case_machine on customer_case (machine_id, created_at desc);
create index customer_case_phone on customer_case (phone_hash, created_at) where phone_hash is not null;
create index customer_case_newest on customer_case (created_at);
create index customer_case_assignee on customer_case (assignee_id) where closed_at is null;
create index customer_case_waiting on customer_case (due_at) where closed_at is null;
create index customer_case_kept on customer_case (created_at) where forgotten_at is null;
create index customer_case_search on customer_case using gin (search_keys(body, goods, '', ''));

-- What was said about it, by the customer (no user) and by support.
create table customer_word (
  id bigint generated always as identity primary key,
  case_id bigint not null references customer_case,
  user_id bigint references app_user,
  body text not null check (length(body) between 1 and 1000),
  at timestamptz not null
);
create index customer_word_case on customer_word (case_id, id);
create index customer_word_user on customer_word (user_id) where user_id is not null;
create trigger customer_word_kept before update or delete on customer_word
  for each statement execute function facts_are_kept();
select keep_facts_from_truncate();

-- How often networks call the public page, by a keyed hash of each: nobody reads addresses here. Swept after a day.
create table customer_call (
  caller bytea not null check (length(caller) = 32),
  kind text not null check (kind in ('look', 'send')),
  since timestamptz not null,
  calls int not null check (calls > 0),
  primary key (caller, kind, since)
);
