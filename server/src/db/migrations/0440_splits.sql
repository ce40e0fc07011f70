-- Shares of orders for others than the merchant (docs/decisions/0070).

create table split_receiver (
  id bigint generated always as identity primary key,
  -- Whose payment account it is bound through; all accounts of that contract and number share its receivers.
  merchant_id bigint not null references merchant,
  account_id bigint not null references payment_account,
  provider text not null check (provider in ('wechat', 'alipay')),
  kind text not null check (kind in ('merchant', 'user', 'outside')),
  of_merchant_id bigint references merchant,
  of_user_id bigint references app_user,
  name text not null check (length(name) between 1 and 80),
  account_type text not null check (account_type in ('merchant_no', 'openid', 'user_id', 'login')),
  account text not null check (length(account) between 4 and 100),
  -- A merchant at WeChat may agree that what is refunded is taken back from it.
  consents boolean not null default false,
  state text not null default 'draft'
    check (state in ('draft', 'binding', 'bound', 'unbinding', 'unbound', 'failed')),
  detail text check (length(detail) <= 120),
  asks int not null default 0,
  next_at timestamptz,
  bound_at timestamptz,
  created_at timestamptz not null,
  created_by bigint not null references app_user,
  version int not null default 1,
  unique (account_id, account),
  check ((kind = 'merchant') = (of_merchant_id is not null)),
  check ((kind = 'user') = (of_user_id is not null)),
  check ((provider = 'wechat') = (account_type in ('merchant_no', 'openid'))),
  check (not consents or account_type = 'merchant_no'),
  check (state <> 'bound' or bound_at is not null)
);
create index split_receiver_merchant on split_receiver (merchant_id, name, id);
create index split_receiver_due on split_receiver (next_at) where state in ('binding', 'unbinding');
create index split_receiver_of_merchant on split_receiver (of_merchant_id) where of_merchant_id is not null;
create index split_receiver_of_user on split_receiver (of_user_id) where of_user_id is not null;

create table split_rule (
  id bigint generated always as identity primary key,
  -- Whose orders, and those of merchants below it, are shared; narrower where a group or machine is named.
  merchant_id bigint not null references merchant,
  group_id bigint references machine_group,
  machine_id bigint references machine,
  valid_from date not null,
  valid_to date check (valid_to >= valid_from),
  reason text not null check (length(reason) between 2 and 200),
  created_at timestamptz not null,
  created_by bigint not null references app_user,
  check (group_id is null or machine_id is null),
  unique nulls not distinct (merchant_id, group_id, machine_id, valid_from)
);
create index split_rule_newest on split_rule (merchant_id, valid_from desc, id desc);
create index split_rule_group on split_rule (group_id) where group_id is not null;
create index split_rule_machine on split_rule (machine_id) where machine_id is not null;

create table split_rule_line (
  rule_id bigint not null references split_rule on delete cascade,
  line_no int not null,
  receiver_id bigint not null references split_receiver,
  -- Hundredths of a per cent of what the order leaves, or fen an order.
  rate_bps int check (rate_bps between 1 and 10000),
  fixed_fen bigint check (fixed_fen between 1 and 1000000),
  primary key (rule_id, line_no),
  unique (rule_id, receiver_id),
  check ((rate_bps is null) <> (fixed_fen is null))
);
create index split_rule_line_receiver on split_rule_line (receiver_id);

-- The terms of a rule are never changed; one that an order was asked for with is kept by its key.
create function split_rule_kept() returns trigger language plpgsql as $$
begin
  if (to_jsonb(old) - 'valid_to') is distinct from (to_jsonb(new) - 'valid_to') then
    raise exception 'the terms of split rule % stay as they are', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger split_rule_kept before update on split_rule for each row execute function split_rule_kept();
create function split_rule_line_kept() returns trigger language plpgsql as $$
begin
  raise exception 'the terms of split rule % stay as they are', old.rule_id using errcode = 'check_violation';
end $$;
create trigger split_rule_line_kept before update on split_rule_line
  for each row execute function split_rule_line_kept();

-- A channel was told, when it was asked for the money, that it will be shared; and by which rule. Without it never.
alter table payment_attempt add column split_rule_id bigint references split_rule;
create index payment_attempt_split on payment_attempt (split_rule_id) where split_rule_id is not null;

alter table settlement add column split_fen bigint not null default 0 check (split_fen >= 0);
alter table settlement drop constraint settlement_net;
alter table settlement add constraint settlement_net check
  (net_fen = gross_fen - refund_fen - channel_fee_fen - function_fee_fen - tax_fen - split_fen);
alter table settled_item add column split_fen bigint not null default 0 check (split_fen >= 0);

create table split (
  id bigint generated always as identity primary key,
  order_id bigint not null unique,
  order_no text not null,
  occurred_at timestamptz not null,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine,
  attempt_id bigint not null references payment_attempt,
  rule_id bigint not null references split_rule,
  settlement_id bigint not null references settlement,
  provider text not null check (provider in ('wechat', 'alipay')),
  business_day date not null,
  paid_fen bigint not null check (paid_fen > 0),
  base_fen bigint not null check (base_fen >= 0),
  -- What was refunded when it was made, and what of refunds since has been dealt with.
  kept_fen bigint not null check (kept_fen > 0),
  refunded_fen bigint not null check (refunded_fen >= 0),
  frozen_since timestamptz not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'sending', 'unknown', 'failed', 'finishing', 'finished')),
  -- How often a new number was taken, and how often the channel was asked under it.
  tries int not null default 0,
  asks int not null default 0,
  next_at timestamptz,
  detail text check (length(detail) <= 120),
  made_at timestamptz not null,
  finished_at timestamptz,
  version int not null default 1,
  check ((state = 'finished') = (finished_at is not null)),
  check (state not in ('waiting', 'sending', 'unknown', 'finishing') or next_at is not null)
);
create index split_due on split (next_at) where state in ('waiting', 'sending', 'unknown', 'finishing');
create index split_newest on split ((business_day - date '2000-01-01') desc, id desc);
create index split_merchant on split (merchant_id, (business_day - date '2000-01-01') desc, id desc);
create index split_open on split (frozen_since) where state <> 'finished';
create index split_settlement on split (settlement_id);

create table split_line (
  id bigint generated always as identity primary key,
  split_id bigint not null references split,
  line_no int not null,
  receiver_id bigint not null references split_receiver,
  amount_fen bigint not null check (amount_fen >= 0),
  deducted_fen bigint not null default 0 check (deducted_fen >= 0),
  cut_fen bigint not null default 0 check (cut_fen >= 0 and cut_fen <= amount_fen),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'done', 'failed', 'proposed', 'released')),
  -- The try of the split in which the channel was asked for it.
  try int,
  code text check (length(code) <= 64),
  failed_at timestamptz,
  done_at timestamptz,
  proposed_by bigint references app_user,
  decided_by bigint references app_user,
  reason text check (length(reason) <= 200),
  version int not null default 1,
  unique (split_id, line_no),
  unique (split_id, receiver_id),
  check (amount_fen + deducted_fen > 0),
  check ((state = 'done') = (done_at is not null)),
  check ((state = 'proposed') <= (proposed_by is not null)),
  constraint split_line_two_people check (decided_by <> proposed_by)
);
create index split_line_receiver on split_line (receiver_id, state);
create index split_line_open on split_line (split_id) where state in ('failed', 'proposed');

create table split_return (
  id bigint generated always as identity primary key,
  line_id bigint not null references split_line,
  -- The sum of refunds up to which this is the receiver's part: the same refund asks for nothing twice.
  refunded_fen bigint not null,
  amount_fen bigint not null check (amount_fen > 0),
  state text not null default 'waiting'
    check (state in ('waiting', 'sending', 'done', 'claimed', 'settled', 'written_off')),
  -- Taken off what the receiver got since.
  settled_fen bigint not null default 0 check (settled_fen between 0 and amount_fen),
  tries int not null default 0,
  asks int not null default 0,
  next_at timestamptz,
  code text check (length(code) <= 64),
  reason text check (length(reason) <= 200),
  decided_by bigint references app_user,
  created_at timestamptz not null,
  ended_at timestamptz,
  version int not null default 1,
  unique (line_id, refunded_fen),
  check ((state = 'settled') = (settled_fen = amount_fen)),
  check (settled_fen = 0 or state in ('claimed', 'settled', 'written_off')),
  check ((state in ('done', 'settled', 'written_off')) = (ended_at is not null))
);
create index split_return_due on split_return (next_at) where state in ('waiting', 'sending');
create index split_return_claimed on split_return (line_id) where state = 'claimed';

-- No receiver owes back more than its share was.
create function split_return_fits() returns trigger language plpgsql as $$
begin
  if (select sum(amount_fen) from split_return where line_id = new.line_id)
      > (select amount_fen + deducted_fen - cut_fen from split_line where id = new.line_id) then
    raise exception 'more is asked back of share % than it was', new.line_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger split_return_fits after insert or update of amount_fen on split_return
  for each row execute function split_return_fits();

alter table channel_exchange drop constraint channel_exchange_kind_check;
alter table channel_exchange add constraint channel_exchange_kind_check check (kind in ('offer', 'query', 'close',
  'refund', 'query_refund', 'notification', 'bill', 'test', 'split', 'query_split', 'split_return', 'split_receiver'));
alter table statement_line drop constraint statement_line_kind_check;
alter table statement_line add constraint statement_line_kind_check check (kind in ('payment', 'refund',
  'fund_payment', 'fund_refund', 'fund_fee', 'fund_payout', 'fund_split', 'fund_other'));
alter table ledger_transfer drop constraint ledger_transfer_kind_check;
alter table ledger_transfer add constraint ledger_transfer_kind_check check (kind in (
    'sale', 'refund', 'fee', 'settlement', 'withdrawal', 'card_top_up', 'card_gift', 'card_move', 'card_settlement',
    'loss', 'statement', 'channel_fee', 'payout', 'bank_receipt', 'decision', 'write_off', 'adjustment', 'cash',
    'reversal', 'card_payout', 'goods_receipt', 'supplier_invoice', 'supplier_payment', 'supplier_return', 'split'));
