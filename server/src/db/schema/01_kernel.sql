-- What belongs to no domain. The files of this folder make an empty database, one after the other in the order of the
-- domains; what changes later stands in ../migrations. A file begins with its tables, each with its indexes, and ends
-- with its functions and triggers, the rows that are shipped, and the references of earlier files to its tables.

-- For tables whose rows are never changed: a correction is another row.
create function facts_are_kept() returns trigger language plpgsql as $$
begin
  raise exception '% rows are facts: correct them with another row', tg_table_name using errcode = 'check_violation';
end $$;

-- Whatever is partitioned is so by month: no list that a new table could be forgotten in.
create function ensure_partitions(first_day date, last_day date) returns void language plpgsql as $$
declare
  parent text;
  month date;
begin
  for parent in
    select relname from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace and not relispartition
  loop
    month := date_trunc('month', first_day);
    while month <= last_day loop
      if to_regclass(format('%I', parent || to_char(month, '_YYYYMM'))) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          parent || to_char(month, '_YYYYMM'), parent, month::timestamp at time zone 'UTC',
          (month + interval '1 month')::timestamp at time zone 'UTC');
      end if;
      month := month + interval '1 month';
    end loop;
  end loop;
end $$;

-- A write that comes twice is answered with the first answer.
create table idempotency_key (
  user_id bigint not null,
  key text not null check (length(key) between 8 and 128),
  endpoint text not null,
  body_hash bytea not null,
  response jsonb,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);
