-- Counts have their number from the counter of documents, as all documents have; those that were opened before keep the
-- number that they were told under, and the counter goes on behind the highest of it.

alter table stock_count add column no text check (length(no) <= 40);
update stock_count set
  no = 'PD' || to_char(opened_at at time zone 'Asia/Shanghai', 'YYYYMMDD') || '-' || id;
alter table stock_count alter column no set not null, add unique (merchant_id, no);
insert into document_counter (merchant_id, prefix, day, last)
select merchant_id, 'PD', (opened_at at time zone 'Asia/Shanghai')::date, max(id)::int from stock_count group by 1, 2, 3
on conflict (merchant_id, prefix, day) do update set last = greatest(document_counter.last, excluded.last);
