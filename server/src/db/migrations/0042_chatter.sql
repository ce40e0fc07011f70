-- What machines say beside the point: lines of their log, and how often they played which picture. Nothing counts on
-- it.

create table machine_log (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machine on delete cascade,
  at timestamptz not null,
  level text not null check (level in ('debug', 'info', 'warn', 'error')),
  lines text[] not null check (cardinality(lines) between 1 and 100)
);
create index machine_log_newest on machine_log (machine_id, id desc);
create index machine_log_age on machine_log (at);

-- A machine says its count of the day so far: the largest holds, whatever is lost or said twice.
create table machine_ad_day (
  machine_id bigint not null references machine on delete cascade,
  business_day date not null,
  ad text not null check (length(ad) between 1 and 40),
  plays int not null check (plays >= 0),
  seconds int not null check (seconds >= 0),
  primary key (machine_id, business_day, ad)
) with (fillfactor = 60);
create index machine_ad_day_age on machine_ad_day (business_day);
