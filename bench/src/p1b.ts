import { ingest } from '../../server/src/features/device/link/ingest'
import { type Bench, compared, type Line, notMeasured } from './kit/figure'
import { makeNetwork } from './kit/network'
import { noPgbench, pgbench, pgbenchVersion } from './kit/pgbench'
import { inRotation } from './kit/rounds'
import { BATCH, ingestRate, makeSales, network, servicesOn } from './kit/sales'

const CLIENTS = 8
const SECONDS = 5

/** The same sales, beside the same rows written as an order is written by hand: one transaction each. */
export async function p1b({ cluster, rounds }: Bench): Promise<Line[]> {
  const what = 'sales, batches of 1,000'
  if (!pgbenchVersion()) return [notMeasured('P1b', what, noPgbench)]
  const ours = await cluster.fresh('p1b')
  const single = await cluster.fresh('p1b_single')
  const services = servicesOn(ours.pool)
  const slots = await makeNetwork(ours.pool.db, network)
  await makeNetwork(single.pool.db, network)
  // Their first sales open the merchants' accounts.
  await ingest(servicesOn(single.pool), makeSales(slots, BATCH))
  const load = { clients: CLIENTS, seconds: SECONDS, variables: { slots: slots.length } }
  const sides = { anchor: () => pgbench(single.url, oneOrder, load), ours: () => ingestRate(services, slots) }
  const measured = await inRotation(sides, rounds)
  await ours.close()
  await single.close()
  const beside = `pgbench, an order a transaction, ${CLIENTS} clients`
  return [compared({ id: 'P1b', what, beside, unit: 'orders/s', goal: { atLeast: 10 } }, measured)]
}

/** What `ingest` writes for a sale, without its checks, answers and announcements. */
export const oneOrder = `
\\set slot random(1, :slots)
\\set method random(1, 3)
begin;
select s.id as slot_id, s.place_id, s.product_id, m.id as machine_id, m.merchant_id, v.method, c.id as customer_id,
  a.id as clearing_id, p.id as pending_id, 'B-' || gen_random_uuid() as order_no, gen_random_uuid() as msg_id,
  date_trunc('milliseconds', now()) as at, current_date as day, extract(hour from now())::int as hour
from slot s join machine m on m.id = s.machine_id
cross join lateral (select (array['alipay', 'wechat', 'unionpay'])[:method] as method) v
join place c on c.merchant_id = m.merchant_id and c.kind = 'customer'
join ledger_account a on a.kind = 'clearing' and a.merchant_id = m.merchant_id and a.key = v.method
join ledger_account p on p.kind = 'pending' and p.merchant_id = m.merchant_id and p.key = ''
where s.id = :slot \\gset
insert into device_message (machine_id, msg_id, type, content_hash, state, received_at)
values (:machine_id, :msg_id, 'sale', sha256('sale'), 'processed', :at);
insert into order_number (order_no, merchant_id, machine_id, occurred_at)
values (:order_no, :merchant_id, :machine_id, :at) returning order_id \\gset
insert into orders (id, order_no, machine_order_no, merchant_id, machine_id, point_id, business_type, method,
  payment_state, ship_state, order_state, item_count, total_fen, paid_fen, occurred_at, received_at,
  business_day, paid_at, finished_at)
values (:order_id, :order_no, :order_no, :merchant_id, :machine_id, 1, 'sale', :method, 'paid', 'completed', 'done',
  1, 500,
  500, :at, :at, :day, :at, :at);
insert into order_item (merchant_id, occurred_at, order_id, index, slot_id, product_id, list_price_fen, price_fen,
  cost_fen, state, motor_code, sensor_code, shipped_at)
values (:merchant_id, :at, :order_id, 0, :slot_id, :product_id, 500, 500, 300, 'dispensed', '100', '01', :at);
insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause, reference)
values (:merchant_id, :at, :product_id, 1, :place_id, :customer_id, 'vend', 'order/' || :order_id::bigint || '/0');
insert into ledger_transfer (kind, reference, merchant_id, posted_at, business_day)
values ('sale', :order_id::bigint::text, :merchant_id, :at, :day) returning id as transfer_id \\gset
insert into ledger_entry (merchant_id, posted_at, transfer_id, account_id, amount_fen)
values (:merchant_id, :at, :transfer_id, :clearing_id, 500), (:merchant_id, :at, :transfer_id, :pending_id, -500);
insert into rollup_total as r values (:merchant_id, 1, 500)
on conflict (merchant_id) do update set orders = r.orders + 1, paid_fen = r.paid_fen + 500;
insert into rollup_hour as r values (:day, :hour, :merchant_id, 1, 500)
on conflict (business_day, merchant_id, hour) do update set orders = r.orders + 1, paid_fen = r.paid_fen + 500;
insert into rollup_day as r values (:day, :merchant_id, :method, 'sale', 1, 500, 0, 1, 500)
on conflict (business_day, merchant_id, method, business_type) do update set orders = r.orders + 1,
  paid_fen = r.paid_fen + 500, online_orders = r.online_orders + 1, online_fen = r.online_fen + 500;
insert into rollup_day_machine as r values (:day, :machine_id, :merchant_id, 1, :method, 'sale', 1, 500)
on conflict (business_day, machine_id, merchant_id, point_id, method, business_type)
  do update set orders = r.orders + 1, paid_fen = r.paid_fen + 500;
insert into rollup_day_product as r values (:day, :merchant_id, :product_id, 1, 500, 300)
on conflict (business_day, merchant_id, product_id) do update set quantity = r.quantity + 1,
  paid_fen = r.paid_fen + 500, cost_fen = r.cost_fen + 300;
insert into rollup_day_machine_product as r values (:day, :machine_id, :merchant_id, :product_id, 1, 500, 300)
on conflict (business_day, machine_id, merchant_id, product_id) do update set quantity = r.quantity + 1,
  paid_fen = r.paid_fen + 500, cost_fen = r.cost_fen + 300;
update machine_state set last_seen_at = :at, is_connected = true where machine_id = :machine_id;
commit;
`
