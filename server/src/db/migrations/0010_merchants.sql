-- What is known of a merchant beside its place in the tree, and how it is stopped.
alter table merchant add column contact text not null default '' check (length(contact) <= 40);
alter table merchant add column phone text not null default '' check (length(phone) <= 20);
alter table merchant add column address text not null default '' check (length(address) <= 200);
-- Shown on its machines; a merchant without one shows its parent's.
alter table merchant add column service_phone text not null default ''
  check (service_phone = '' or service_phone ~ '^[+]?[0-9][0-9 -]{3,18}[0-9]$');
alter table merchant add column category text not null default '' check (category ~ '^[A-Za-z0-9_-]{0,20}$');
-- Codes with a half-width comma between them, none at the end.
alter table merchant add column tags text not null default ''
  check (length(tags) <= 200 and tags ~ '^([A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)?$');
-- Pick-up codes in force at once; null is without a limit.
alter table merchant add column pickup_code_limit int check (pickup_code_limit between 0 and 1000000);
alter table merchant add column exchange_rate numeric(12, 6) not null default 1 check (exchange_rate > 0);
alter table merchant add column has_high_go boolean not null default false;
alter table merchant add column has_pharmacy boolean not null default false;
alter table merchant add column has_shopping boolean not null default false;
-- Said when it is stopped: whether its machines go on selling. An order on one that may not is refused.
alter table merchant add column sells_when_stopped boolean not null default true;
alter table merchant add column stopped_at timestamptz;
-- The first administrator, made with the merchant.
alter table merchant add column admin_user_id bigint references app_user on delete set null;
create index merchant_parent on merchant (parent_id);

create function operation_of(m machine, c merchant) returns text language sql immutable as $$
  select case when c.state = 'stopped' and not c.sells_when_stopped then 'stopped' else m.operation end
$$;
