-- What machines say was counted in them stands beside what people count, and what both a machine and a phone say was
-- taken out is one, as a fill is.
alter table stock_count drop constraint stock_count_scope_check,
  add constraint stock_count_scope_check check (scope in ('all', 'cycle', 'slots', 'machine'));
-- Most counts are asked by state; those that a machine asked for are looked for each time that somebody signs in.
create index stock_count_asked on stock_count (machine_id) where scope = 'machine' and state = 'counting';

alter table fill_said add column is_out boolean not null default false;
alter table fill_said drop constraint fill_said_pkey, add primary key (service_id, place_id, product_id, is_out);
