-- A cancelled batch gives nothing from that moment on; its vouchers end after it, some thousand at once.
alter table voucher_batch add is_ended boolean not null default false check (not is_ended or cancelled_at is not null);
update voucher_batch set is_ended = true where cancelled_at is not null;
create index voucher_batch_ending on voucher_batch (id) where cancelled_at is not null and not is_ended;
