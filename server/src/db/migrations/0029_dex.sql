-- Audit files of machines: the counters of the controller itself, beside what orders and stock say.
create table dex_read (
  id bigint generated always as identity,
  merchant_id bigint not null,
  machine_id bigint not null,
  msg_id text not null,
  kind text not null check (kind in ('interval', 'fill', 'collect')),
  read_at timestamptz not null,
  received_at timestamptz not null,
  -- Null when it is believed.
  fault text check (fault in ('notDex', 'noEnd', 'lineCount', 'checkValue', 'wrongMachine')),
  -- Counters of one board, from one initialisation to the next.
  epoch int not null default 1 check (epoch >= 1),
  raw text not null check (length(raw) <= 65536),
  parsed jsonb,
  primary key (merchant_id, read_at, id),
  check ((parsed is null) = (fault is not null and fault <> 'wrongMachine'))
) partition by range (read_at);
create index dex_read_machine on dex_read (machine_id, read_at desc, id desc);
create trigger dex_read_kept before update or delete on dex_read
  for each statement execute function facts_are_kept();
