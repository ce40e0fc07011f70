-- Two machines that speak with one code and secret: each is heard again with a run of its program that had ended.
alter table machine_seq
  add column previous_boot text,
  add column returns int not null default 0,
  add column returned_at timestamptz;
