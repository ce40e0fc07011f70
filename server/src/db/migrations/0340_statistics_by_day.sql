-- Statistics ask for what was settled, received and sent back on some days, whoever it is of.
create index settlement_day on settlement (business_day);
create index goods_receipt_decided on goods_receipt (decided_at) where decided_at is not null;
create index supplier_return_sent on supplier_return (sent_at) where sent_at is not null;
create index voucher_batch_made on voucher_batch (created_at);
create index voucher_expired on voucher (ended_at) where state = 'expired';
create index promotion_use_spent on promotion_use (spent_at) where spent_at is not null and released_at is null;

-- What a point costs a month, by the day from which it does: a report on last month keeps last month's rent.
create table point_rent (
  point_id bigint not null references point on delete cascade,
  from_day date not null,
  rent_fen bigint not null check (rent_fen >= 0),
  primary key (point_id, from_day)
);
insert into point_rent select id, (created_at at time zone 'Asia/Shanghai')::date, rent_fen from point;
create function point_rent_begins() returns trigger language plpgsql as $$
begin
  insert into point_rent values (new.id, (new.created_at at time zone 'Asia/Shanghai')::date, new.rent_fen);
  return null;
end $$;
create trigger point_rent_begins after insert on point for each row execute function point_rent_begins();
