-- What the bank itself kept of a payout, as its statement says; the channel paid it out all the same.
alter table bank_receipt add column fee_fen bigint not null default 0 check (fee_fen >= 0);
