-- What channels say of a day, the differences that people decide, and the settlement of what was sold
-- (docs/decisions/0022).

-- What a provider's fee is, and the platform's for its functions; the newest rule of the merchant counts, then of those
-- above it, then the one for all (merchant_id null).
create table fee_rule (
  id bigint generated always as identity primary key,
  merchant_id bigint references merchant,
  -- A method: what its channel takes; `function:` and a business type: what the platform takes.
  subject text not null check (subject in ('alipay', 'wechat', 'unionpay', 'member_card', 'other', 'function:sale',
    'function:prescription', 'function:lottery', 'function:member')),
  rate_ppm int not null check (rate_ppm between 0 and 300000),
  -- Rounded for each order, or once on the total of the day.
  basis text not null check (basis in ('order', 'day')),
  min_fen int not null default 0 check (min_fen between 0 and 10000),
  valid_from date not null,
  created_at timestamptz not null,
  created_by bigint references app_user,
  -- A rule that ends by itself, and why it was agreed.
  valid_to date check (valid_to >= valid_from),
  reason text not null default '' check (length(reason) <= 200),
  unique nulls not distinct (merchant_id, subject, valid_from)
);

-- What a provider keeps one statement of: a number of ours there. Its accounts come and go, the number stays.
create table settlement_channel (
  id bigint generated always as identity primary key,
  provider_account_id bigint not null references provider_account,
  sub_merchant_no text not null default '',
  merchant_id bigint not null references merchant,
  provider text not null check (provider in ('alipay', 'wechat', 'unionpay')),
  -- Through which the provider is asked: the newest account that collects under the number.
  account_id bigint not null references payment_account,
  funds_mode text not null check (funds_mode in ('direct', 'profit_share', 'custody', 'demo')),
  -- Its first day with a run.
  since date not null,
  unique (provider_account_id, sub_merchant_no)
);
create index settlement_channel_merchant on settlement_channel (merchant_id);

-- One channel and one day of its calendar.
create table settlement_run (
  id bigint generated always as identity primary key,
  channel_id bigint not null references settlement_channel,
  merchant_id bigint not null references merchant,
  provider text not null check (provider in ('alipay', 'wechat', 'unionpay')),
  day date not null,
  state text not null default 'waiting' check (state in ('waiting', 'matched', 'closing', 'closed')),
  tries int not null default 0,
  -- What the channel said when it gave no bill.
  last_code text,
  our_count int not null default 0,
  our_fen bigint not null default 0,
  our_refund_count int not null default 0,
  our_refund_fen bigint not null default 0,
  their_count int not null default 0,
  their_fen bigint not null default 0,
  their_refund_count int not null default 0,
  their_refund_fen bigint not null default 0,
  fee_fen bigint not null default 0,
  payout_fen bigint not null default 0,
  -- At the end of the day: what the fund bill says that the channel holds, and what the ledger says.
  their_balance_fen bigint,
  our_balance_fen bigint,
  -- Differences that nobody has decided, and those that wait for the next day's bill.
  open_count int not null default 0,
  waiting_count int not null default 0,
  created_at timestamptz not null,
  fetched_at timestamptz,
  matched_at timestamptz,
  asked_by bigint references app_user,
  asked_at timestamptz,
  closed_by bigint references app_user,
  closed_at timestamptz,
  version int not null default 1,
  -- Under which mode the day's money was collected; the channel's is that of its account now, which may be another.
  funds_mode text not null check (funds_mode in ('direct', 'profit_share', 'custody', 'demo')),
  unique (channel_id, day),
  check ((state = 'closed') = (closed_at is not null)),
  check (state <> 'closing' or asked_by is not null),
  constraint settlement_run_two_people check (closed_by is null or closed_by <> asked_by),
  check (state <> 'closed' or open_count = 0)
);
create index settlement_run_day on settlement_run (day desc, id desc);
create index settlement_run_merchant on settlement_run (merchant_id, day desc);
create index settlement_run_open on settlement_run (day) where state <> 'closed';

-- A file as it came; the same file a second time changes nothing.
create table statement_file (
  id bigint generated always as identity primary key,
  run_id bigint not null references settlement_run,
  kind text not null check (kind in ('bill', 'trade', 'fund')),
  source text not null check (source in ('fetched', 'uploaded')),
  name text not null check (length(name) between 1 and 200),
  hash bytea not null check (length(hash) = 32),
  content bytea not null check (length(content) <= 64000000),
  line_count int not null check (line_count >= 0),
  imported_at timestamptz not null,
  imported_by bigint references app_user,
  unique (run_id, hash)
);
create unique index statement_file_trade on statement_file (run_id) where kind in ('bill', 'trade');
create unique index statement_file_fund on statement_file (run_id) where kind in ('bill', 'fund');

-- Lines about payments and refunds, and about the money that the channel holds.
create table statement_line (
  id bigint generated always as identity primary key,
  file_id bigint not null references statement_file,
  run_id bigint not null references settlement_run,
  line_no int not null,
  kind text not null check (kind in ('payment', 'refund', 'fund_payment', 'fund_refund', 'fund_fee', 'fund_payout',
    'fund_other')),
  attempt_no text not null default '',
  refund_no text not null default '',
  channel_no text not null default '',
  amount_fen bigint not null,
  fee_fen bigint not null default 0,
  balance_fen bigint,
  at timestamptz not null,
  -- Ours, once found: 'payment' an attempt, 'refund' a refund.
  matched_id bigint,
  order_id bigint,
  order_merchant_id bigint,
  unique (file_id, line_no)
);
create index statement_line_run on statement_line (run_id, kind);
create index statement_line_attempt on statement_line (attempt_no) where attempt_no <> '';
create index statement_line_order on statement_line (order_id) where order_id is not null;

-- Each attempt and refund is found in one line at most, and each line is taken by one at most.
create table statement_match (
  kind text not null check (kind in ('payment', 'refund')),
  matched_id bigint not null,
  run_id bigint not null references settlement_run,
  line_id bigint not null unique references statement_line,
  order_id bigint not null,
  primary key (kind, matched_id)
);
create index statement_match_run on statement_match (run_id);
create index statement_match_order on statement_match (order_id);

-- Where our books and the channel's bill differ, and what people decided.
create table settlement_difference (
  id bigint generated always as identity primary key,
  run_id bigint not null references settlement_run,
  channel_id bigint not null references settlement_channel,
  merchant_id bigint not null references merchant,
  kind text not null check (kind in ('only_ours', 'only_theirs', 'amount_differs', 'refund_only_ours',
    'refund_only_theirs', 'refund_differs', 'fee_differs', 'balance_differs', 'payout_missing')),
  -- What it is about: an attempt, a refund, a line or the day itself; one case each.
  about text not null check (length(about) between 1 and 80),
  our_fen bigint,
  their_fen bigint,
  matched_id bigint,
  line_id bigint references statement_line,
  order_id bigint,
  order_no text,
  -- Whose money it is about, where an order says so.
  order_merchant_id bigint references merchant,
  state text not null check (state in ('next_day', 'open', 'asking', 'proposed', 'decided', 'resolved')),
  owner_id bigint references app_user,
  decision text check (decision in ('take_order', 'refund', 'write_off', 'ask_channel', 'accept')),
  reason text check (length(reason) between 1 and 200),
  proposed_by bigint references app_user,
  proposed_at timestamptz,
  approved_by bigint references app_user,
  decided_at timestamptz,
  -- The run whose bill brought it after all.
  resolved_run_id bigint references settlement_run,
  created_at timestamptz not null,
  version int not null default 1,
  unique (channel_id, kind, about),
  check ((state in ('decided', 'resolved')) = (decided_at is not null)),
  check (state not in ('proposed', 'decided') or (decision is not null and reason is not null)),
  constraint settlement_difference_two_people check (approved_by is null or approved_by <> proposed_by)
);
create index settlement_difference_run on settlement_difference (run_id);
create index settlement_difference_open on settlement_difference (created_at, id)
  where state not in ('decided', 'resolved');
create index settlement_difference_order on settlement_difference (order_id) where order_id is not null;

create table settlement_difference_event (
  id bigint generated always as identity primary key,
  difference_id bigint not null references settlement_difference,
  at timestamptz not null,
  verb text not null,
  user_id bigint references app_user,
  note text not null default '' check (length(note) <= 500)
);
create index settlement_difference_event_of on settlement_difference_event (difference_id, id);

-- What the bank says that it got from a provider, as read from its statement by a person.
create table bank_receipt (
  id bigint generated always as identity primary key,
  channel_id bigint not null references settlement_channel,
  merchant_id bigint not null references merchant,
  bank_no text not null check (length(bank_no) between 1 and 60),
  amount_fen bigint not null check (amount_fen > 0),
  received_on date not null,
  line_id bigint unique references statement_line,
  entered_by bigint references app_user,
  entered_at timestamptz not null,
  -- What the bank itself kept of a payout, as its statement says; the channel paid it out all the same.
  fee_fen bigint not null default 0 check (fee_fen >= 0),
  unique (channel_id, bank_no)
);

-- What a merchant was settled at once, and each order and refund in it exactly once.
create table settlement (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  -- Null for what no channel's bill is waited for: cards, and the machines' own readers.
  run_id bigint references settlement_run,
  method text not null,
  funds_mode text not null check (funds_mode in ('direct', 'profit_share', 'custody', 'demo')),
  business_day date not null,
  orders int not null check (orders >= 0),
  refunds int not null check (refunds >= 0),
  gross_fen bigint not null check (gross_fen >= 0),
  refund_fen bigint not null check (refund_fen >= 0),
  channel_fee_fen bigint not null,
  function_fee_fen bigint not null,
  net_fen bigint not null,
  -- What rounding gave the platform, in millionths of a fen; negative is what it cost.
  rounding_ufen bigint not null,
  posted_at timestamptz not null,
  check (net_fen = gross_fen - refund_fen - channel_fee_fen - function_fee_fen)
);
create index settlement_merchant on settlement (merchant_id, posted_at desc);
create index settlement_run_of on settlement (run_id) where run_id is not null;

create table settled_item (
  kind text not null check (kind in ('order', 'refund')),
  reference bigint not null,
  settlement_id bigint not null references settlement,
  amount_fen bigint not null,
  primary key (kind, reference)
);
create index settled_item_settlement on settled_item (settlement_id);

-- The terms of a rule are never changed, and one that was settled by is never deleted.
create function fee_rule_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (to_jsonb(old) - 'valid_to') is distinct from (to_jsonb(new) - 'valid_to') then
      raise exception 'the terms of fee rule % stay as they are', old.id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if exists (select 1 from settlement s join merchant m on m.id = s.merchant_id
      where s.business_day >= old.valid_from and (old.merchant_id is null or old.merchant_id = any(m.path))) then
    raise exception 'fee rule % has been settled by', old.id using errcode = 'check_violation';
  end if;
  return old;
end $$;
create trigger fee_rule_kept before update or delete on fee_rule for each row execute function fee_rule_kept();

-- A day that is opened without saying is under the mode of its channel; one that is closed stays as it was settled.
create function settlement_run_mode() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.funds_mode := coalesce(new.funds_mode,
      (select funds_mode from settlement_channel where id = new.channel_id));
  elsif old.state = 'closed' then
    raise exception 'settlement run % is closed', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger settlement_run_mode_new before insert on settlement_run
  for each row when (new.funds_mode is null) execute function settlement_run_mode();
create trigger settlement_run_mode_kept before update of funds_mode on settlement_run
  for each row when (new.funds_mode is distinct from old.funds_mode) execute function settlement_run_mode();

insert into fee_rule (subject, rate_ppm, basis, min_fen, valid_from, created_at) values
  ('alipay', 6000, 'order', 1, '2019-06-01', '2019-06-01'), ('wechat', 6000, 'order', 0, '2019-06-01', '2019-06-01'),
  ('unionpay', 6000, 'day', 1, '2019-06-01', '2019-06-01'), ('member_card', 0, 'order', 0, '2019-06-01', '2019-06-01'),
  ('other', 0, 'order', 0, '2019-06-01', '2019-06-01'),
  ('function:sale', 10000, 'day', 0, '2019-06-01', '2019-06-01'),
  ('function:prescription', 0, 'day', 0, '2019-06-01', '2019-06-01'),
  ('function:lottery', 10000, 'day', 0, '2019-06-01', '2019-06-01'),
  ('function:member', 0, 'day', 0, '2019-06-01', '2019-06-01');
