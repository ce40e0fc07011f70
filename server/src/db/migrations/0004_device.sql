-- The machine link: what came, what was refused, what was asked of machines.

-- Identity of every critical message: same id and content is answered again, same id and other content is a conflict.
create table device_message (
  machine_id bigint not null,
  msg_id text not null,
  type text not null,
  content_hash bytea not null,
  state text not null check (state in ('processed', 'refused')),
  reason text,
  received_at timestamptz not null,
  primary key (machine_id, msg_id)
);
create index device_message_age on device_message using brin (received_at);
create index device_message_machine on device_message (machine_id, received_at desc);

-- Critical messages whose meaning is read by parts yet to come; kept whole.
create table device_event (
  id bigint generated always as identity,
  merchant_id bigint not null,
  machine_id bigint not null,
  msg_id text not null,
  type text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  data jsonb not null,
  primary key (merchant_id, received_at, id)
) partition by range (received_at);
create index device_event_machine on device_event (machine_id, received_at);

-- Refused, forged or conflicting messages, for a person to see. Repeats raise the count.
create table device_refusal (
  id bigint generated always as identity primary key,
  machine_id bigint references machine on delete cascade,
  machine_code text not null,
  reason text not null,
  type text,
  fingerprint text not null,
  detail text not null check (length(detail) <= 2000),
  count bigint not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  unique (machine_code, fingerprint)
);
create index device_refusal_machine on device_refusal (machine_id, last_at desc);

create table device_command (
  id uuid primary key,
  merchant_id bigint not null,
  machine_id bigint not null references machine on delete cascade,
  type text not null check (type in ('ship', 'stop_sale', 'resume_sale', 'upload_snapshot', 'restart_app')),
  data jsonb not null,
  state text not null default 'queued'
    check (state in ('queued', 'sent', 'received', 'done', 'failed', 'refused', 'expired', 'cancelled')),
  reason text,
  detail text,
  created_by bigint references app_user,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz,
  received_at timestamptz,
  finished_at timestamptz
);
create index device_command_waiting on device_command (machine_id, created_at) where state in ('queued', 'sent');
create index device_command_machine on device_command (machine_id, created_at desc);

-- Partitions by month for every table that grows with trade.
create function ensure_partitions(first_day date, last_day date) returns void language plpgsql as $$
declare
  parent text;
  month date;
begin
  foreach parent in array array['audit_log', 'stock_move', 'orders', 'order_item', 'ledger_entry', 'device_event'] loop
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
