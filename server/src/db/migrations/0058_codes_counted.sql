-- A code that is invalid for the moment counts towards its merchant's limit: it is good again when its product is.
create or replace function pickup_batch_limit() returns trigger language plpgsql as $$
declare allowed int;
begin
  select pickup_code_limit into allowed from merchant where id = new.merchant_id for no key update;
  if allowed is not null and new.count + (
      select count(*) from pickup_code where merchant_id = new.merchant_id
        and state in ('unused', 'in_use', 'partly_shipped', 'invalid') and expires_at > new.created_at
    ) + (
      select coalesce(sum(count - made), 0) from pickup_batch where merchant_id = new.merchant_id and state = 'making'
    ) > allowed then
    raise exception 'more codes in force than merchant % may have', new.merchant_id
      using errcode = 'check_violation', constraint = 'pickup_code_limit';
  end if;
  return new;
end $$;
drop index pickup_code_force;
create index pickup_code_force on pickup_code (merchant_id, expires_at)
  where state in ('unused', 'in_use', 'partly_shipped', 'invalid');
