import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Reader } from '../../../server/src/kernel/context'

export type Slot = {
  machine: string
  machineId: number
  merchantId: number
  slot: string
  slotId: number
  placeId: number
  product: string
  productId: number
}

export type Size = { merchants: number; machines: number; products: number; slots: number }

/**
 * A network of the platform, its merchants, machines and filled slots, each slot with a product of its own choosing.
 * Merchants hang below a region each of which holds a quarter of them, so that a subtree is more than one merchant.
 */
export async function makeNetwork(db: Reader, size: Size): Promise<Slot[]> {
  await sql`insert into merchant (id, parent_id, code, name, type)
    values (1, null, 'ROOT', 'Platform', 'platform')`.execute(db)
  await sql`insert into merchant (id, parent_id, code, name, type)
    select 1 + n, 1, 'R' || n || 'X', 'Region ' || n, 'ordinary' from generate_series(1, 4) n`.execute(db)
  await sql`insert into merchant (id, parent_id, code, name, type)
    select 100 + n, 2 + n % 4, 'M' || n || 'X', 'Merchant ' || n, 'ordinary'
    from generate_series(1, ${size.merchants}::int) n`.execute(db)
  await sql`insert into product (id, merchant_id, code, name, kind, cost_fen, price_fen)
    select n, 1, 'P' || n || 'X', 'Product ' || n, 'goods', 200, 500
    from generate_series(1, ${size.products}::int) n`.execute(db)
  await sql`insert into point (id, merchant_id, name, kind, province, city, address, longitude, latitude)
    select n, 100 + n, 'Point ' || n, 'station', '浙江', '杭州', 'Road ' || n, 110 + n % 10, 25 + n % 10
    from generate_series(1, ${size.merchants}::int) n`.execute(db)
  const secret = createHash('sha256').update('bench').digest()
  await sql`insert into machine (id, merchant_id, point_id, code, name, category, secret_hash)
    select n, 100 + m, m, 'BENCH' || n, 'Machine ' || n, 'combo', ${secret}
    from generate_series(1, ${size.machines}::int) n,
    lateral (select 1 + n % ${size.merchants}::int as m) owner`.execute(db)
  await sql`insert into machine_state (machine_id) select id from machine`.execute(db)
  await sql`insert into place (merchant_id, kind)
    select id, kind from merchant, unnest(array['supplier', 'customer']) kind`.execute(db)
  await sql`select setval(pg_get_serial_sequence(t, 'id'), 1000000)
    from unnest(array['merchant', 'product', 'point', 'machine']) t`.execute(db)
  return fillSlots(db, size)
}

const STOCK = 1_000_000

async function fillSlots(db: Reader, size: Size): Promise<Slot[]> {
  await sql`with places as (
      insert into place (merchant_id, kind, name)
      select m.merchant_id, 'slot', m.id || '/' || s
      from machine m, generate_series(1, ${size.slots}::int) s returning id, name)
    insert into slot (machine_id, code, layer, position, place_id, product_id, capacity, price_fen)
    select m, 'A' || s, 1 + (s - 1) / 10, 1 + (s - 1) % 10, places.id, 1 + (m * 7 + s) % ${size.products}::int, 99, 500
    from places, lateral (select split_part(name, '/', 1)::bigint as m, split_part(name, '/',
    2)::int as s) parts`.execute(db)
  await sql`insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause,
    reference)
    select m.merchant_id, date_trunc('milliseconds', now()), s.product_id, ${STOCK}::int, p.id, s.place_id, 'fill',
    'bench'
    from slot s join machine m on m.id = s.machine_id
    join place p on p.merchant_id = m.merchant_id and p.kind = 'supplier'`.execute(db)
  await sql`analyze`.execute(db)
  const found = await sql<Slot>`
    select m.code as machine, m.id as "machineId", m.merchant_id as "merchantId", s.code as slot, s.id as "slotId",
      s.place_id as "placeId", p.code as product, p.id as "productId"
    from slot s join machine m on m.id = s.machine_id
    join product p on p.id = s.product_id order by m.id, s.layer, s.position`.execute(db)
  return found.rows
}
