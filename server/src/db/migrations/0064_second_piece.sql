-- Handed over from afar while the machine had not answered for the first command: that one may still bring a piece out.
alter table order_item add column redelivered_at timestamptz;

-- It did: a second piece left the slot for one item. The item keeps what is known of the first.
create table second_piece (
  order_id bigint not null,
  index smallint not null,
  merchant_id bigint not null references merchant,
  came_at timestamptz not null,
  motor_code text,
  sensor_code text,
  batch text,
  trace_code text,
  primary key (order_id, index)
);
create index second_piece_trace on second_piece (trace_code) where trace_code is not null;
create trigger second_piece_kept before update or delete on second_piece
  for each statement execute function facts_are_kept();
