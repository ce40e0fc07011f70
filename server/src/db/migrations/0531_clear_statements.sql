-- A day whose lines are all as they were booked, or explained, stays so and is not judged again: what is open is looked
-- for among the others, however long an account has been in use.
alter table bank_statement add is_clear boolean not null default false;
create index bank_statement_unclear on bank_statement (payout_account_id, day) where not is_clear;
create index bank_statement_line_of on bank_statement_line (payout_account_id, day);
