-- What an order may be paid with and sold on: codes, cards, prescriptions, plays; and what of it is on its way back.

alter table orders add column prescription_code text;
alter table orders add column tender_code text;
-- Sum of the refunds that hold their part of what was paid; kept by the refunds themselves.
alter table orders add column held_fen bigint not null default 0;
update orders set held_fen = refunded_fen where refunded_fen > 0;
alter table orders add constraint orders_held check (held_fen between 0 and paid_fen and refunded_fen <= held_fen);
alter table orders drop constraint orders_problem_check;
alter table orders add constraint orders_problem_check check (problem in
  ('undelivered', 'no_answer', 'late_result', 'amount_mismatch', 'paid_late', 'dispensed_after_refund'));
create index orders_tender on orders (tender_code, occurred_at) where tender_code is not null;
create index orders_prescription on orders (prescription_code, occurred_at) where prescription_code is not null;
