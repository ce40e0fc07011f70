-- What the regulator's platform has to be told of packs: an item for each receipt, sale, return and destruction,
-- written with the fact, sent in order pack by pack, answered by the platform.

create index trace_code_state on trace_code (state, merchant_id, id);
drop index trace_code_unknown;
create index trace_code_in_stock on trace_code (product_id) where state = 'in_stock';
create index trace_sale_again on trace_sale (trace_code_id) where not counts;

-- Who a merchant, and all below it without one of their own, are at the platform.
create table trace_account (
  id bigint generated always as identity primary key,
  merchant_id bigint not null constraint trace_account_once unique references merchant,
  enterprise_no text not null check (length(enterprise_no) between 1 and 60),
  address text not null check (length(address) <= 300),
  secret bytea not null,
  is_on boolean not null,
  version int not null default 1,
  changed_at timestamptz not null
);

create table trace_upload (
  id bigint generated always as identity primary key,
  event_id bigint not null constraint trace_upload_once unique references trace_event,
  trace_code_id bigint not null references trace_code,
  merchant_id bigint not null references merchant,
  kind text not null check (kind in ('receipt', 'sale', 'return', 'destruction')),
  state text not null default 'queued' check (state in ('queued', 'sent', 'accepted', 'refused')),
  -- What a person says instead, after it was refused.
  batch text check (length(batch) between 1 and 120),
  tries int not null default 0,
  next_try_at timestamptz not null,
  sent_at timestamptz,
  answered_at timestamptz,
  -- The platform's own words.
  reason text not null default '' check (length(reason) <= 300),
  problem text not null default '' check (length(problem) <= 60)
);
create index trace_upload_due on trace_upload (merchant_id, next_try_at) where state in ('queued', 'sent');
create index trace_upload_code on trace_upload (trace_code_id, id);
create index trace_upload_merchant on trace_upload (merchant_id, id);
create index trace_upload_state on trace_upload (state, merchant_id, id);

-- With the fact itself, so that none is forgotten. What was sold again is told by nobody: it can't be true. Putting a
-- pack into a slot is a receipt only where nobody had received it before.
create function trace_event_upload() returns trigger language plpgsql as $$
begin
  insert into trace_upload (event_id, trace_code_id, merchant_id, kind, next_try_at)
  select e.id, e.trace_code_id, e.merchant_id,
    case e.verb when 'sell' then 'sale' when 'takeBack' then 'return' when 'destroy' then 'destruction'
      else 'receipt' end,
    e.heard_at
  from added e join product p on p.id = e.product_id and p.kind = 'medicine'
  where e.verb in ('receive', 'sell', 'takeBack', 'destroy') or (e.verb = 'load' and not exists (
    select from trace_event before where before.trace_code_id = e.trace_code_id and before.id < e.id
      and before.verb in ('receive', 'load')))
  order by e.id;
  return null;
end $$;
create trigger trace_event_upload after insert on trace_event
  referencing new table as added for each statement execute function trace_event_upload();
