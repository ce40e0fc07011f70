import { sql } from 'kysely'
import { recommendPrices } from '../../server/src/features/advice/price/price.jobs'
import { recommendProducts } from '../../server/src/features/advice/product/recommend.jobs'
import type { Reader } from '../../server/src/kernel/context'
import { type Bench, digits, type Line } from './kit/figure'
import { makeNetwork } from './kit/network'
import { timed } from './kit/rounds'
import { servicesOn } from './kit/sales'

const size = { merchants: 20, machines: 2_000, products: 200, slots: 40 }

/** A night's recommendations for 2,000 machines with 80,000 slots and four weeks of sales. */
export async function j2({ cluster }: Bench): Promise<Line[]> {
  const fresh = await cluster.fresh('j2')
  const services = servicesOn(fresh.pool)
  await makeNetwork(fresh.pool.db, size)
  await sellWeeks(fresh.pool.db)
  const products = await timed(() => recommendProducts(services))
  const prices = await timed(() => recommendPrices(services))
  const made = await sql<{ products: number; prices: number }>`select
    (select count(*)::int from recommendation) as products,
    (select count(*)::int from price_advice) as prices`.execute(fresh.pool.db)
  const [count = { products: 0, prices: 0 }] = made.rows
  await fresh.close()
  const line = (what: string, seconds: number, count: number): Line => ({
    id: 'J2',
    what: `${what} for ${digits(size.machines)} machines`,
    ours: `${digits(seconds)} s, ${digits(count)} made`,
    anchor: '',
    value: seconds,
    unit: 's',
    goal: { atMost: 60 },
  })
  return [
    line('product recommendations', products, count.products),
    line('price recommendations', prices, count.prices),
  ]
}

/** Four weeks at prices that differ between machines; what sells where follows from numbers alone. */
async function sellWeeks(db: Reader): Promise<void> {
  await sql`update machine set operation = 'in_operation'`.execute(db)
  await sql`update slot set price_fen = case when machine_id % 3 = 0 then 550 else 500 end`.execute(db)
  await sql`insert into slot_layer (place_id, product_id, sequence, quantity, filled_at)
    select place_id, product_id, 1, 50, now() - interval '60 days' from slot`.execute(db)
  await sql`insert into rollup_day_machine_product (business_day, machine_id, merchant_id, product_id, quantity,
      paid_fen, cost_fen)
    select d.on, a.id, a.merchant_id, h.product_id, h.n, h.n * h.fen, h.n * 200
    from machine a
    cross join lateral (select s.product_id, max(s.price_fen) as fen, 1 + (s.product_id * 13 + a.id * 7) % 5 as n
      from slot s where s.machine_id = a.id group by 1) h
    cross join (select current_date - n as on from generate_series(1, 28) n) d
    where (h.product_id + a.id) % 4 > 0`.execute(db)
  await sql`insert into rollup_day_machine (business_day, machine_id, merchant_id, point_id, method, business_type,
      orders, paid_fen)
    select r.business_day, r.machine_id, r.merchant_id, a.point_id, 'wechat', 'sale', sum(r.quantity), sum(r.paid_fen)
    from rollup_day_machine_product r join machine a on a.id = r.machine_id group by 1, 2, 3, 4`.execute(db)
  await sql`analyze`.execute(db)
}
