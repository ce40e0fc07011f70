-- What becomes of a prepared account at its hour, how keys were tested, and what lists of items sold and handed out are
-- read by.

-- The last time that somebody asked whether the keys work, and what the provider said.
alter table provider_account add column test_asked_at timestamptz;
alter table provider_account add column test_asked_by bigint references app_user on delete set null;
alter table provider_account add column test_ended_at timestamptz;
alter table provider_account add column test_outcome text
  check (test_outcome in ('good', 'refused', 'silent', 'unset'));
alter table provider_account add column test_said text not null default '' check (length(test_said) <= 200);

-- Why it was not activated at its hour; and what took the place of one that was stopped by its successor.
alter table payment_account add column publish_fault text not null default '' check (length(publish_fault) <= 40);
alter table payment_account add column replaced_by bigint references payment_account on delete set null;

create or replace function payment_account_is_locked() returns trigger language plpgsql as $$
declare
  free constant text[] := '{state,stopped_at,stop_reason,replaced_by,version,activated_by,copied_from}';
begin
  if old.state = 'preparing' then
    if tg_op = 'UPDATE' and old.publish_at is not null and new.publish_at is not null
      and (to_jsonb(new) - 'version') <> (to_jsonb(old) - 'version') then
      raise exception 'payment account % waits for its hour', old.id using errcode = 'check_violation';
    end if;
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' then
    raise exception 'payment account % has collected', old.id using errcode = 'check_violation';
  end if;
  if (to_jsonb(old) - free) <> (to_jsonb(new) - free) or new.state = 'preparing'
    or (old.state = 'stopped' and new.state <> 'stopped') then
    raise exception 'payment account % is activated and locked', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- As the machine told with the result: how long it took and how often the motor turned.
alter table order_item add column duration_ms int check (duration_ms >= 0);
alter table order_item add column attempts smallint check (attempts between 1 and 9);
create index order_item_failed on order_item (occurred_at, order_id, index)
  where state in ('jammed', 'failed', 'no_answer');
create index order_item_trace on order_item (trace_code, occurred_at) where trace_code is not null;
create index order_item_batch on order_item (batch, occurred_at) where batch is not null;
