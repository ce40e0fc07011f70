-- Where goods come from, or go, that no document knows: what somebody put into a machine that no bag of theirs had. A
-- supplier's are those alone that were bought or sent back.
alter table place drop constraint place_kind_check;
alter table place add constraint place_kind_check check
  (kind in ('supplier', 'unbooked', 'warehouse', 'transit', 'replenisher', 'slot', 'customer', 'scrap'));
drop index place_outside;
create unique index place_outside on place (merchant_id, kind)
  where kind in ('supplier', 'unbooked', 'transit', 'customer', 'scrap');

-- Goods in machines came from suppliers as long as there were no warehouses. What is held does not change by it.
insert into place (merchant_id, kind) select merchant_id, 'unbooked' from place where kind = 'supplier';
alter table stock_move disable trigger stock_move_kept;
update stock_move v set from_place_id = u.id
from place s join place u on u.merchant_id = s.merchant_id and u.kind = 'unbooked', place o
where s.id = v.from_place_id and s.kind = 'supplier' and o.id = v.to_place_id
  and o.kind not in ('warehouse', 'transit');
update stock_move v set to_place_id = u.id
from place s join place u on u.merchant_id = s.merchant_id and u.kind = 'unbooked', place o
where s.id = v.to_place_id and s.kind = 'supplier' and o.id = v.from_place_id
  and o.kind not in ('warehouse', 'transit');
alter table stock_move enable trigger stock_move_kept;
