-- In which currency a merchant counts beside the platform's: ISO 4217; null where that is the platform's own. What one
-- unit of it comes to is exchange_rate.
alter table merchant add column currency text check (currency ~ '^[A-Z]{3}$');
