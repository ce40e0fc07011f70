-- Which of a merchant's codes count towards its limit, with those that are still to be made: asked by the batch that is
-- written and by what a person is told before. One that is invalid for the moment is good again when its product is.
create function pickup_codes_in_force(of_merchant bigint, at timestamptz) returns bigint language sql stable as $$
  select (
    select count(*) from pickup_code where merchant_id = of_merchant
      and state in ('unused', 'in_use', 'partly_shipped', 'invalid') and expires_at > at
  ) + (
    select coalesce(sum(count - made), 0)::bigint from pickup_batch where merchant_id = of_merchant and state = 'making'
  )
$$;

create or replace function pickup_batch_limit() returns trigger language plpgsql as $$
declare allowed int;
begin
  select pickup_code_limit into allowed from merchant where id = new.merchant_id for no key update;
  if allowed is not null and new.count + pickup_codes_in_force(new.merchant_id, new.created_at) > allowed then
    raise exception 'more codes in force than merchant % may have', new.merchant_id
      using errcode = 'check_violation', constraint = 'pickup_code_limit';
  end if;
  return new;
end $$;
