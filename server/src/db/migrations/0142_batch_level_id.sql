-- People choose batches where they lie, row by row.
alter table batch_level add id bigint generated always as identity constraint batch_level_id_key unique;
