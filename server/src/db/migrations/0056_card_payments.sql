-- Which cards paid of late, for the board of customers: without it each look reads all orders of thirty days.
create index orders_card on orders (occurred_at, merchant_id, tender_code)
  where method = 'member_card' and tender_code is not null and paid_at is not null;
