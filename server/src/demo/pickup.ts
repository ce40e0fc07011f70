import { maskedCode } from '@aisle/contract/pickup/code'
import { sql } from 'kysely'
import { rows } from '../db/rows'
import { makeCodes } from '../features/pickup/make.store'
import { PLATFORM_TIME_ZONE } from '../kernel/businessDay'
import type { AuthKeys, Tx } from '../kernel/context'
import { DAY_MS } from './calendar'
import { handedOut } from './data/pickup'
import { idOf, type Ids } from './people'

type Sale = {
  orderId: number
  merchantId: number
  machineId: number
  orderNo: string
  heldAt: Date
  settledAt: Date
  products: number[]
  isOut: boolean[]
}
type About = { keys: AuthKeys; users: Ids; merchants: Ids; now: Date }

/** The codes that past orders were picked up with, and those that were given out since: good, over, or taken back. */
export async function seedPickup(tx: Tx, about: About): Promise<void> {
  await seedUsed(tx, about)
  for (const batch of handedOut) await seedHandedOut(tx, batch, about)
}

/** A code for each sale that was paid by one; those for the same goods were made together, before the first sale. */
async function seedUsed(tx: Tx, { keys, users }: About): Promise<void> {
  const found = await sql<Sale>`
    select o.id as "orderId", o.merchant_id as "merchantId", o.machine_id as "machineId", o.order_no as "orderNo",
      o.occurred_at as "heldAt", o.finished_at as "settledAt", array_agg(i.product_id order by i.index) as products,
      array_agg(i.state = 'dispensed' order by i.index) as "isOut"
    from orders o join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at
      and i.order_id = o.id
    where o.method = 'pickup_code' group by o.id, o.merchant_id, o.machine_id, o.order_no, o.occurred_at, o.finished_at
    order by o.id`.execute(tx)
  const alike = new Map<string, Sale[]>()
  for (const sale of found.rows) {
    const key = `${sale.merchantId}/${sale.products.join('/')}`
    alike.set(key, [...(alike.get(key) ?? []), sale])
  }
  const uses: (Sale & { batchId: number; serial: number })[] = []
  for (const sales of alike.values()) {
    const [first] = sales
    if (!first) continue
    const batchId = await makeBatch(tx, keys, {
      merchantId: first.merchantId,
      description: '礼品兑换码',
      products: first.products,
      pickups: 1,
      count: sales.length,
      createdAt: new Date(first.heldAt.getTime() - 3 * DAY_MS),
      endsAt: new Date(first.heldAt.getTime() + 180 * DAY_MS),
      createdBy: idOf(users, 'admin'),
    })
    uses.push(...sales.map((sale, index) => ({ ...sale, batchId, serial: index + 1 })))
  }
  await insertUses(tx, uses)
}

async function insertUses(tx: Tx, uses: readonly (Sale & { batchId: number; serial: number })[]): Promise<void> {
  const written = uses.map(({ isOut, ...use }) => {
    const out = isOut.flatMap((is, at) => (is ? [at] : []))
    const isWhole = out.length === isOut.length
    return {
      ...use,
      asked: `{${isOut.map((_, at) => at).join()}}`,
      out: `{${out.join()}}`,
      taken: isWhole ? '{}' : `{${out.join()}}`,
      shipped: out.length,
      state: isWhole ? 'fully_shipped' : out.length > 0 ? 'partly_shipped' : 'unused',
    }
  })
  await sql`with use as (select * from ${rows('u', written, {
    orderId: 'bigint',
    merchantId: 'bigint',
    machineId: 'bigint',
    orderNo: 'text',
    heldAt: 'timestamptz',
    settledAt: 'timestamptz',
    batchId: 'bigint',
    serial: 'int',
    asked: 'text',
    out: 'text',
    taken: 'text',
    shipped: 'smallint',
    state: 'text',
  })}),
    code as (update pickup_code c set state = use.state, shipped = use.shipped, taken = use.taken::smallint[],
        ended_at = case when use.state = 'fully_shipped' then use.settled_at end
      from use where c.batch_id = use.batch_id and c.serial = use.serial returning c.id, c.batch_id, c.serial)
    insert into pickup_use (order_id, code_id, merchant_id, machine_id, order_no, pickup, asked, out, held_at,
      settled_at)
    select use.order_id, code.id, use.merchant_id, use.machine_id, use.order_no, 1, use.asked::smallint[],
      use.out::smallint[], use.held_at, use.settled_at
    from use join code using (batch_id, serial)`.execute(tx)
  const tails = await sql<{ orderId: number; merchantId: number; at: Date; tail: string }>`
    select u.order_id as "orderId", u.merchant_id as "merchantId", u.held_at as at, c.tail
    from pickup_use u join pickup_code c on c.id = u.code_id`.execute(tx)
  const named = tails.rows.map(({ tail, ...order }) => ({ ...order, tail: maskedCode(tail) }))
  await sql`update orders o set tender_code = n.tail
    from ${rows('n', named, { orderId: 'bigint', merchantId: 'bigint', at: 'timestamptz', tail: 'text' })}
    where o.merchant_id = n.merchant_id and o.occurred_at = n.at and o.id = n.order_id`.execute(tx)
}

type NewBatch = {
  merchantId: number
  description: string
  products: readonly number[]
  pickups: number
  count: number
  createdAt: Date
  endsAt: Date
  createdBy: number
}

async function makeBatch(tx: Tx, keys: AuthKeys, batch: NewBatch): Promise<number> {
  const made = await sql<{ id: number }>`insert into pickup_batch (merchant_id, description, pickups_allowed, scope,
      count, expires_at, created_by, created_at)
    values (${batch.merchantId}, ${batch.description}, ${batch.pickups}, 'all', ${batch.count},
      date_trunc('day', ${batch.endsAt}::timestamptz, ${PLATFORM_TIME_ZONE}), ${batch.createdBy}, ${batch.createdAt})
    returning id`.execute(tx)
  const id = made.rows[0]?.id ?? 0
  const content = batch.products.map((productId, position) => ({ position, productId }))
  await sql`insert into pickup_content (batch_id, position, product_id)
    select ${id}::bigint, position, product_id
    from ${rows('c', content, { position: 'smallint', productId: 'bigint' })}`.execute(tx)
  await makeCodes(tx, keys, id, batch.createdAt)
  return id
}

type HandedOut = (typeof handedOut)[number]

/** Given out by the desk, for goods that stand in most machines of the merchant. */
async function seedHandedOut(tx: Tx, batch: HandedOut, { keys, users, merchants, now }: About): Promise<void> {
  const merchantId = idOf(merchants, batch.merchant)
  const goods = await sql<{ id: number }>`select p.id from machine m join slot s on s.machine_id = m.id
    join product p on p.id = s.product_id
    where m.merchant_id = ${merchantId} and p.medicine_class is null and p.state = 'online'
    group by p.id order by count(distinct m.id) desc, p.id limit 4`.execute(tx)
  const products = batch.goods.flatMap((at) => goods.rows[at]?.id ?? [])
  if (products.length === 0) return
  const by = idOf(users, 'merchant')
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const id = await makeBatch(tx, keys, {
    ...batch,
    merchantId,
    products,
    createdAt: ago(batch.madeDaysAgo),
    endsAt: ago(-batch.goodForDays),
    createdBy: by,
  })
  if (batch.places > 0) {
    await sql`with chosen as (select p.id from point p join machine m on m.point_id = p.id
        where m.merchant_id = ${merchantId} group by p.id order by count(*) desc, p.id limit ${batch.places}),
      placed as (insert into pickup_place (batch_id, point_id) select ${id}::bigint, id from chosen returning batch_id)
      update pickup_batch b set scope = 'points' where b.id in (select batch_id from placed)`.execute(tx)
  }
  await sql`update pickup_code set state = ${batch.state}, reason = ${batch.reason},
      ended_at = case ${batch.state} when 'unused' then null when 'expired' then expires_at else ${ago(1)} end,
      ended_by = case when ${batch.state} in ('cancelled', 'logged_out') then ${by}::bigint end
    where batch_id = ${id}`.execute(tx)
  if (batch.state !== 'cancelled') return
  await sql`update pickup_batch set cancelled_at = ${ago(1)}, cancelled_by = ${by}, cancel_reason = ${batch.reason}
    where id = ${id}`.execute(tx)
}
