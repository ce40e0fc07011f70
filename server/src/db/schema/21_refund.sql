-- Money on its way back to customers, and orders that a person should look at (docs/decisions/0016).

-- Each time that money is to go back to a customer, from asking to its end.
create table refund (
  id bigint generated always as identity primary key,
  -- The channel is asked with it, however often: it pays once.
  refund_no text not null unique check (refund_no ~ '^[A-Z0-9]{8,32}$'),
  order_id bigint not null references order_number (order_id),
  -- With order_id the key of the order, which is partitioned by its time.
  merchant_id bigint not null references merchant,
  occurred_at timestamptz not null,
  machine_id bigint not null references machine,
  order_no text not null,
  method text not null,
  attempt_id bigint,
  amount_fen bigint not null check (amount_fen > 0),
  cause text not null check (cause in ('jam', 'ship_timeout', 'other')),
  reason text not null default '' check (length(reason) <= 200),
  state text not null check (state in ('pending_review', 'refunding', 'unknown', 'refunded', 'failed', 'needs_handling',
    'rejected', 'paid_back')),
  -- Why it failed, waits for a person or was not sent: a word of ours, or the channel's code.
  detail text check (length(detail) <= 120),
  -- Without a person: the rule of specification §9.
  requested_by bigint references app_user,
  requested_at timestamptz not null,
  decided_by bigint references app_user,
  decided_at timestamptz,
  -- How often the channel was asked to pay, and since when it has been asked how that ended.
  tries int not null default 0 check (tries >= 0),
  asks int not null default 0 check (asks >= 0),
  sent_at timestamptz,
  next_at timestamptz,
  channel_refund_no text,
  ended_at timestamptz,
  -- Paid back another way: one person writes how, another agrees.
  pay_back_way text check (pay_back_way in ('transfer', 'cash')),
  pay_back_note text check (length(pay_back_note) <= 200),
  pay_back_proof text[] not null default '{}',
  pay_back_by bigint references app_user,
  pay_back_at timestamptz,
  pay_back_agreed_by bigint references app_user,
  version int not null default 1,
  -- Set once somebody was told that it needs a person.
  told_at timestamptz,
  check (state not in ('refunded', 'paid_back', 'rejected') or ended_at is not null),
  check (state <> 'paid_back' or (pay_back_way is not null and pay_back_agreed_by <> pay_back_by)),
  check (state not in ('refunding', 'unknown') or next_at is not null)
);
create index refund_newest on refund (requested_at, id);
create index refund_order on refund (order_id);
create index refund_machine on refund (machine_id, requested_at, id);
create index refund_merchant on refund (merchant_id, requested_at, id);
create index refund_due on refund (next_at) where state in ('refunding', 'unknown');
create index refund_waiting on refund (state, requested_at) where state in ('pending_review', 'refunding', 'unknown',
  'failed', 'needs_handling');
create index refund_channel_no on refund (channel_refund_no) where channel_refund_no is not null;
create index refund_untold on refund (id) where state = 'needs_handling' and told_at is null;
-- Each night's settlement looks for orders that waited for their refunds, however old they are.
create index refund_ended on refund (ended_at) where ended_at is not null;

-- What a refund stands for, item by item; one of an amount alone has none.
create table refund_item (
  refund_id bigint not null references refund,
  order_id bigint not null,
  item_index smallint not null,
  product_id bigint not null,
  amount_fen bigint not null check (amount_fen >= 0),
  -- False once the refund was rejected.
  is_live boolean not null default true,
  primary key (refund_id, item_index)
);
-- An item is paid back once, however many ask at the same moment.
create unique index refund_item_once on refund_item (order_id, item_index) where is_live;

-- What was done about it, by whom; without a person by the system or the channel.
create table refund_event (
  id bigint generated always as identity primary key,
  refund_id bigint not null references refund,
  at timestamptz not null,
  verb text not null,
  user_id bigint references app_user,
  note text not null default '' check (length(note) <= 300)
);
create index refund_event_refund on refund_event (refund_id, id);
create trigger refund_event_kept before update or delete on refund_event
  for each statement execute function facts_are_kept();

-- An order is a case from the moment something is wrong with it until that is settled; the case keeps who and why.
create table problem_case (
  id bigint generated always as identity primary key,
  order_id bigint not null,
  merchant_id bigint not null references merchant,
  occurred_at timestamptz not null,
  machine_id bigint not null references machine,
  kind text not null check (kind in
    ('undelivered', 'no_answer', 'late_result', 'amount_mismatch', 'paid_late', 'dispensed_after_refund')),
  state text not null default 'open' check (state in ('open', 'asked', 'closed')),
  opened_at timestamptz not null,
  -- Above a limit one person asks to close it, and another agrees.
  asked_by bigint references app_user,
  asked_at timestamptz,
  -- How it ended: by money, by goods, by a person's word, or by what was reported later.
  outcome text check (outcome in ('refunded', 'redelivered', 'confirmed', 'settled')),
  reason text not null default '' check (length(reason) <= 200),
  closed_by bigint references app_user,
  closed_at timestamptz,
  version int not null default 1,
  check ((state = 'closed') = (outcome is not null and closed_at is not null)),
  check (state <> 'asked' or asked_by is not null),
  check (closed_by is null or asked_by is null or closed_by <> asked_by)
);
create unique index problem_case_once on problem_case (order_id) where state <> 'closed';
create index problem_case_open on problem_case (opened_at, id) where state <> 'closed';
create index problem_case_newest on problem_case (opened_at, id);
create index problem_case_order on problem_case (order_id);
create index problem_case_machine on problem_case (machine_id, opened_at);

-- The order knows what its refunds hold of what was paid: beyond it, orders_held refuses, however many ask at once.
create function refund_hold() returns trigger language plpgsql as $$
declare
  held bigint := case when new.state = 'rejected' then 0 else new.amount_fen end;
  paid bigint := case when new.state in ('refunded', 'paid_back') then new.amount_fen else 0 end;
begin
  if tg_op = 'UPDATE' then
    if (old.refund_no, old.order_id, old.amount_fen) is distinct from (new.refund_no, new.order_id, new.amount_fen) then
      raise exception 'refund % stands as it was asked for', old.refund_no using errcode = 'check_violation';
    end if;
    if old.state in ('refunded', 'paid_back', 'rejected') then
      raise exception 'refund % is over', old.refund_no using errcode = 'check_violation';
    end if;
    held := held - old.amount_fen;
  end if;
  if held <> 0 or paid <> 0 then
    update orders set held_fen = held_fen + held, refunded_fen = refunded_fen + paid
      where merchant_id = new.merchant_id and occurred_at = new.occurred_at and id = new.order_id;
    if not found then
      raise exception 'refund % has no order', new.refund_no using errcode = 'foreign_key_violation';
    end if;
  end if;
  if new.state = 'rejected' then
    update refund_item set is_live = false where refund_id = new.id;
  end if;
  return null;
end $$;
create trigger refund_holds after insert or update of state, refund_no, order_id, amount_fen on refund
  for each row execute function refund_hold();

-- Cases open and end with the problem of their order, whoever finds or settles it.
create function problem_case_keep() returns trigger language plpgsql as $$
begin
  if new.problem is null then
    -- Who closes one by hand has done so before the order loses its problem.
    update problem_case set state = 'closed', outcome = case when new.refunded_fen > 0 then 'refunded'
        when old.problem in ('undelivered', 'no_answer') then 'redelivered' else 'settled' end,
      closed_at = now(), asked_by = null, asked_at = null, version = version + 1
      where order_id = new.id and state <> 'closed';
    return null;
  end if;
  insert into problem_case (order_id, merchant_id, occurred_at, machine_id, kind, opened_at)
    values (new.id, new.merchant_id, new.occurred_at, new.machine_id, new.problem,
      coalesce(new.finished_at, new.received_at))
    on conflict (order_id) where state <> 'closed'
    do update set kind = excluded.kind, state = 'open', asked_by = null, asked_at = null,
      version = problem_case.version + 1;
  return null;
end $$;
create trigger orders_problem_new after insert on orders
  for each row when (new.problem is not null) execute function problem_case_keep();
create trigger orders_problem_moved after update of problem on orders
  for each row when (new.problem is distinct from old.problem) execute function problem_case_keep();

-- Refunds whose money is with the customer, on the business day of their machine on which that was known.
create view refund_done as
  select r.id as refund_id, r.merchant_id, r.occurred_at, r.order_id as id, r.amount_fen,
    (r.ended_at at time zone m.time_zone)::date as business_day
  from refund r join machine m on m.id = r.machine_id where r.state in ('refunded', 'paid_back');
