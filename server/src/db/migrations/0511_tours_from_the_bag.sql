-- A tour whose goods its replenisher carries already takes nothing out of a warehouse.
do $$
declare named text;
begin
  select conname into strict named from pg_constraint
  where conrelid = 'replenishment_order'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%outbound_id%';
  execute format('alter table replenishment_order drop constraint %I', named);
end $$;
alter table replenishment_order add constraint replenishment_order_started
  check (state not in ('underWay', 'done') or started_at is not null);
