-- Whether a credential verifies against a password that the product ships: null until somebody looked. Each writer
-- says it of what it writes, so a start looks only at what is older than this column, and once.
alter table credential add column is_shipped boolean;

-- Of the password that the demo gave, under the key file; null for one that its owner or the server chose. What the
-- demo gave, the demo may replace at its next start.
alter table credential add column demo_mac bytea;

create index credential_unknown on credential (user_id) where is_shipped is null;
create index credential_shipped on credential (user_id) where is_shipped;
