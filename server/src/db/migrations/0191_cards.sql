-- Cards are issued, given to members, replaced and cancelled by people; what happened to each is told in its log.

alter table ledger_transfer drop constraint ledger_transfer_kind_check;
alter table ledger_transfer add constraint ledger_transfer_kind_check check (kind in (
    'sale', 'refund', 'fee', 'settlement', 'withdrawal', 'card_top_up', 'card_gift', 'card_move', 'card_settlement',
    'loss', 'statement', 'channel_fee', 'payout', 'bank_receipt', 'decision', 'write_off', 'adjustment', 'cash',
    'reversal', 'card_payout'));

alter table member_card
  -- Of the code that activates it; null for one that was handed over active, or issued before there were codes.
  add activation_digest bytea,
  -- Whose wish it is that it ends: what is paid back follows from it.
  add cancel_why text check (cancel_why in ('issuer', 'holder')),
  add cancel_asked_by bigint references app_user,
  add cancel_asked_at timestamptz,
  drop constraint member_card_state_check,
  add constraint member_card_state_check
    check (state in ('not_activated', 'active', 'locked', 'lost', 'cancelling', 'cancelled')),
  add check (state <> 'cancelling' or (cancel_why is not null and cancel_asked_at is not null));
create unique index member_card_replaces on member_card (replaced_by) where replaced_by is not null;

-- What its holder got of a card that ended; the rest of its balance was given on top, and goes back to the issuer.
create table member_card_payout (
  id bigint generated always as identity primary key,
  card_id bigint not null references member_card,
  merchant_id bigint not null references merchant,
  why text not null check (why in ('issuer', 'holder')),
  balance_fen bigint not null check (balance_fen >= 0),
  gift_fen bigint not null check (gift_fen >= 0),
  paid_fen bigint not null check (paid_fen >= 0),
  method text not null check (method in ('cash', 'transfer')),
  note text not null default '' check (length(note) <= 200),
  paid_by bigint references app_user,
  paid_at timestamptz not null,
  check (paid_fen <= balance_fen),
  check (balance_fen + gift_fen > 0)
);
create index member_card_payout_card on member_card_payout (card_id);
create trigger member_card_payout_kept before update or delete on member_card_payout
  for each statement execute function facts_are_kept();

-- What was still untouched of a top-up that should not have been: once, by another person.
create table member_card_reversal (
  top_up_id bigint primary key references member_card_top_up,
  card_id bigint not null references member_card,
  merchant_id bigint not null references merchant,
  balance_fen bigint not null check (balance_fen >= 0),
  gift_fen bigint not null check (gift_fen >= 0),
  paid_fen bigint not null check (paid_fen between 0 and balance_fen),
  reason text not null check (length(reason) between 1 and 200),
  reversed_by bigint not null references app_user,
  reversed_at timestamptz not null,
  check (balance_fen + gift_fen > 0)
);
create index member_card_reversal_card on member_card_reversal (card_id);
create trigger member_card_reversal_kept before update or delete on member_card_reversal
  for each statement execute function facts_are_kept();

-- One line for each thing that happened to a card. Those of money name their transfer, so that what was on the card
-- before and after is read from the ledger.
create table member_card_log (
  id bigint generated always as identity primary key,
  card_id bigint not null references member_card,
  merchant_id bigint not null,
  action text not null check (action in (
    'issued', 'activated', 'bound', 'unbound', 'locked', 'unlocked', 'lost', 'recovered', 'limits', 'replaced',
    'replacement', 'cancelAsked', 'kept', 'cancelled', 'toppedUp', 'reversed', 'paid', 'credited', 'paidOut')),
  at timestamptz not null,
  user_id bigint references app_user,
  transfer_kind text,
  reference text,
  note text not null default '' check (length(note) <= 200),
  check (num_nulls(transfer_kind, reference) in (0, 2))
);
create index member_card_log_at on member_card_log (at desc, id desc);
create index member_card_log_card on member_card_log (card_id, at desc, id desc);
create index member_card_log_merchant on member_card_log (merchant_id, at desc, id desc);
create trigger member_card_log_kept before update or delete on member_card_log
  for each statement execute function facts_are_kept();

-- Whoever writes such a fact, its line is there.
create function member_card_logged() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'member_card_top_up' then
    insert into member_card_log (card_id, merchant_id, action, at, user_id, transfer_kind, reference, note)
    select card_id, merchant_id, 'toppedUp', topped_up_at, topped_up_by, 'card_top_up', id::text, note from added;
  elsif tg_table_name = 'member_card_charge' then
    insert into member_card_log (card_id, merchant_id, action, at, transfer_kind, reference)
    select a.card_id, c.merchant_id, 'paid', a.charged_at, 'sale', a.order_id::text
    from added a join member_card c on c.id = a.card_id;
  elsif tg_table_name = 'member_card_credit' then
    insert into member_card_log (card_id, merchant_id, action, at, transfer_kind, reference)
    select c.id, c.merchant_id, 'credited', a.credited_at, 'refund', a.refund_id::text
    from added a join member_card c on c.id = a.card_id;
  elsif tg_table_name = 'member_card_reversal' then
    insert into member_card_log (card_id, merchant_id, action, at, user_id, transfer_kind, reference, note)
    select card_id, merchant_id, 'reversed', reversed_at, reversed_by, 'reversal', 'topUp/' || top_up_id, reason
    from added;
  else
    insert into member_card_log (card_id, merchant_id, action, at, user_id, transfer_kind, reference, note)
    select card_id, merchant_id, 'paidOut', paid_at, paid_by, 'card_payout', id::text, note from added;
  end if;
  return null;
end $$;

-- A refund goes to the card that stands in the place of the one that paid.
alter table member_card_credit add card_id bigint references member_card;
alter table member_card_credit disable trigger user;
update member_card_credit k set card_id = h.card_id from member_card_charge h where h.order_id = k.order_id;
alter table member_card_credit enable trigger user;
alter table member_card_credit alter card_id set not null;
create index member_card_credit_card on member_card_credit (card_id);

create trigger member_card_top_up_logged after insert on member_card_top_up
  referencing new table as added for each statement execute function member_card_logged();
create trigger member_card_charge_logged after insert on member_card_charge
  referencing new table as added for each statement execute function member_card_logged();
create trigger member_card_credit_logged after insert on member_card_credit
  referencing new table as added for each statement execute function member_card_logged();
create trigger member_card_reversal_logged after insert on member_card_reversal
  referencing new table as added for each statement execute function member_card_logged();
create trigger member_card_payout_logged after insert on member_card_payout
  referencing new table as added for each statement execute function member_card_logged();

-- What happened before there was a log.
insert into member_card_log (card_id, merchant_id, action, at, user_id, transfer_kind, reference, note)
select * from (
  select id, merchant_id, 'issued', created_at as at, null::bigint, null, null, '' from member_card
  union all
  select card_id, merchant_id, 'toppedUp', topped_up_at, topped_up_by, 'card_top_up', id::text, note
  from member_card_top_up
  union all
  select h.card_id, c.merchant_id, 'paid', h.charged_at, null, 'sale', h.order_id::text, ''
  from member_card_charge h join member_card c on c.id = h.card_id
  union all
  select k.card_id, c.merchant_id, 'credited', k.credited_at, null, 'refund', k.refund_id::text, ''
  from member_card_credit k join member_card c on c.id = k.card_id) told order by at;

-- What the lists of top-ups and deductions go by.
create index member_card_top_up_at on member_card_top_up (topped_up_at desc, id desc);
create index member_card_charge_at on member_card_charge (charged_at desc, order_id desc);
