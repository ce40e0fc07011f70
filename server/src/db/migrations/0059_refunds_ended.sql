-- Each night's settlement looks for orders that waited for their refunds, however old they are.
create index refund_ended on refund (ended_at) where ended_at is not null;
