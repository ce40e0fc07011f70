-- Worst first, over a history of years too: what lasts before what is over, then the level, then the money. Of what
-- lasts an hour counts, since its loss still grows; of what is over the whole loss.
alter table alarm add column worst bigint not null generated always as (
  (case when closed_at is null then 0 else 10 end
    + array_position('{critical,warning,notice}'::text[], level)) * 1000000000000
  - least(999999999999, coalesce(case when closed_at is null then usual_fen_hour
      else round(usual_fen_hour * extract(epoch from closed_at - opened_at) / 3600)::bigint end, 0))) stored;
create index alarm_worst on alarm (worst, id);
