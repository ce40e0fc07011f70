-- What other programs ask machines to hand out over the signed API, and what they are told of it (docs/PARTNERS.md).

-- What was asked, and what it was answered.
create table partner_request (
  id bigint generated always as identity primary key,
  config_id bigint not null references integration_config,
  merchant_id bigint not null references merchant,
  machine_id bigint not null references machine on delete cascade,
  -- Theirs; with the interface it is the identity of the request.
  request_no text not null check (length(request_no) between 1 and 64),
  -- Of the body as it came: the same number with another body is refused.
  body_hash bytea not null,
  body text not null,
  -- What it was answered; asked again it is answered so again.
  answer json not null,
  order_id bigint not null unique,
  order_no text not null,
  ip text not null default '',
  created_at timestamptz not null,
  unique (config_id, request_no)
);
create index partner_request_machine on partner_request (machine_id, id);
create index partner_request_merchant on partner_request (merchant_id, id);

-- A nonce serves once while its time could be accepted; older ones are swept.
create table partner_nonce (
  config_id bigint not null references integration_config on delete cascade,
  nonce text not null check (length(nonce) between 8 and 64),
  seen_at timestamptz not null,
  primary key (config_id, nonce)
);
create index partner_nonce_seen on partner_nonce (seen_at);

-- Calls of each minute.
create table partner_rate (
  config_id bigint not null references integration_config on delete cascade,
  minute timestamptz not null,
  calls int not null,
  primary key (config_id, minute)
) with (fillfactor = 50);

-- What they are told, until it has arrived; partner_try is each time that it was said.
create table partner_callback (
  id bigint generated always as identity primary key,
  request_id bigint not null references partner_request on delete cascade,
  event_id uuid not null unique default gen_random_uuid(),
  event text not null check (event in ('shipment.ended', 'shipment.corrected')),
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  -- As it was first sent: a later try says the same.
  body text,
  tries int not null default 0 check (tries >= 0),
  next_try_at timestamptz,
  created_at timestamptz not null,
  delivered_at timestamptz,
  -- Who had it said once more; null: nobody.
  asked_by bigint references app_user,
  check ((state = 'waiting') = (next_try_at is not null)),
  check ((state = 'delivered') = (delivered_at is not null))
);
create index partner_callback_request on partner_callback (request_id);
create index partner_callback_due on partner_callback (next_try_at) where state = 'waiting';

create table partner_try (
  id bigint generated always as identity primary key,
  callback_id bigint not null references partner_callback on delete cascade,
  at timestamptz not null,
  address text not null,
  status int,
  -- Why there is no status, or what was wrong with it.
  problem text,
  answer text not null default '',
  duration_ms int not null,
  -- Who had it sent again; null: by itself.
  user_id bigint references app_user
);
create index partner_try_callback on partner_try (callback_id);
create trigger partner_try_kept before update on partner_try for each statement execute function facts_are_kept();

-- An order that another program asked for has ended, or what came of it changed afterwards: it is told, whoever ended
-- it.
create function partner_order_ended() returns trigger language plpgsql as $$
declare request bigint;
begin
  select r.id into request from partner_request r join integration_config c on c.id = r.config_id
  where r.order_id = new.id and c.interface_type <> 'pull';
  if request is null then return null; end if;
  insert into partner_callback (request_id, event, next_try_at, created_at)
  values (request, case when old.order_state = 'open' then 'shipment.ended' else 'shipment.corrected' end,
    coalesce(new.finished_at, now()), coalesce(new.finished_at, now()));
  perform graphile_worker.add_job('partner.call', '{}'::json);
  return null;
end $$;
create trigger partner_order_ended after update of order_state, problem, ship_state on orders for each row
  when (new.machine_order_no like 'OPEN-%' and new.order_state <> 'open'
    and (old.order_state, old.ship_state, old.problem) is distinct from (new.order_state, new.ship_state, new.problem))
  execute function partner_order_ended();

-- Of the orders that other programs ask for: machines hear of them under OPEN-<number>.
create sequence partner_order_no;
