import { sql } from 'kysely'
import { writeCursor } from '../../../server/src/kernel/cursor'
import type { Reader } from '../../../server/src/kernel/context'
import { addSession, addUser } from '../../../server/src/testing/fixtures'
import type { Cluster, Fresh } from './database'
import { makeNetwork } from './network'

const CHUNK = 250_000
const DAYS = 365

export type Orders = Fresh & {
  /** Sessions: of the platform, which sees every order, and of a region, which sees every fourth machine. */
  platform: string
  region: string
  /** Where the page after the first `depth` orders begins. */
  cursorAt: (depth: number) => Promise<string>
}

/** A year of orders, evenly spread, each with one item: what the lists read, and nothing that they don't. */
export async function seedOrders(cluster: Cluster, rows: number, say: (text: string) => void): Promise<Orders> {
  const fresh = await cluster.fresh('orders', DAYS + 2)
  const { db } = fresh.pool
  const slots = await makeNetwork(db, { merchants: 100, machines: 1_000, products: 200, slots: 4 })
  for (let done = 0; done < rows; done += CHUNK) {
    say(`seeding orders, ${Math.round((100 * done) / rows)} %`)
    await addOrders(db, { first: done + 1, last: Math.min(rows, done + CHUNK), rows, slots: slots.length })
  }
  await fresh.pool.raw.query('vacuum analyze')
  const now = new Date()
  const admin = await addUser(db, { merchantId: 1, kind: 'platform_admin', grants: ['*'] })
  const manager = await addUser(db, { merchantId: 2, kind: 'merchant_admin', grants: ['order.read', 'machine.read'] })
  return {
    ...fresh,
    platform: await addSession(db, admin.id, now),
    region: await addSession(db, manager.id, now),
    cursorAt: (depth) => cursorAt(db, depth),
  }
}

type Part = { first: number; last: number; rows: number; slots: number }

/** The number of an order decides everything about it; the newest has the highest. */
async function addOrders(db: Reader, { first, last, rows, slots }: Part): Promise<void> {
  await sql`
    with facts as materialized (
      select n, date_trunc('milliseconds',
      now() - (${rows}::bigint - n) * (interval '1 day' * ${DAYS} / ${rows}::bigint)) as at,
        m.id as machine_id, m.merchant_id, m.point_id, s.id as slot_id, s.product_id,
        (array['alipay', 'wechat', 'unionpay', 'cash'])[1 + (hashint8(n) & 3)] as method,
        case when n % 97 = 0 then 'undelivered' end as problem
      from generate_series(${first}::bigint, ${last}::bigint) n
      join slot s on s.id = 1 + (n * 7919) % ${slots}::bigint join machine m on m.id = s.machine_id),
    ordered as (
      insert into orders (id, order_no, machine_order_no, merchant_id, machine_id, point_id, business_type, method,
        payment_state, ship_state, order_state, problem, item_count, total_fen, paid_fen, occurred_at, received_at,
        business_day, paid_at, finished_at)
      select n, 'B' || n, n, merchant_id, machine_id, point_id, 'sale', method,
      case when n % 50 = 0 then 'refunded' else 'paid' end,
        'completed', 'done', problem, 1, 500, 500, at, at, (at at time zone 'Asia/Shanghai')::date, at, at from facts)
    insert into order_item (merchant_id, occurred_at, order_id, index, slot_id, product_id, list_price_fen,
    price_fen, cost_fen, state)
    select merchant_id, at, n, 0, slot_id, product_id, 500, 500, 300, 'dispensed' from facts`.execute(db)
}

export async function cursorAt(db: Reader, depth: number): Promise<string> {
  const found = await sql<{ at: string; id: number }>`
    select to_json(occurred_at) #>> '{}' as at, id from orders order by occurred_at desc, id desc
    offset ${depth - 1} limit 1`.execute(db)
  const [key] = found.rows
  if (!key) throw new RangeError(`there are no ${depth} orders`)
  return writeCursor(key)
}
