-- What was collected under a provider account's numbers is asked about and paid back under them, also when no account
-- collects under them any more.
create or replace function provider_account_is_locked() returns trigger language plpgsql as $$
begin
  if (old.merchant_id, old.provider, old.environment, old.app_id, old.provider_no, old.token)
    is distinct from (new.merchant_id, new.provider, new.environment, new.app_id, new.provider_no, new.token)
    and exists (select 1 from payment_account where provider_account_id = old.id and state <> 'preparing') then
    raise exception 'provider account % collects', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
