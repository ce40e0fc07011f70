-- Of a replenishment, as its machine counts and says it: what stood in the slot before and after, and who brought it.
alter table stock_move
  add before_pieces int,
  add after_pieces int,
  add replenisher text check (length(replenisher) <= 120);

create index stock_move_fill on stock_move (moved_at desc, id desc) where cause = 'fill';
create index stock_move_fill_merchant on stock_move (merchant_id, moved_at desc, id desc) where cause = 'fill';
