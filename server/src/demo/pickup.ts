import { sql } from 'kysely'
import { rows } from '../db/rows'
import { makeCodes } from '../features/pickup/make.store'
import { PLATFORM_TIME_ZONE } from '../kernel/businessDay'
import type { AuthKeys, Tx } from '../kernel/context'
import { DAY_MS } from './calendar'
import { handedOut } from './data/pickup'
import { idOf, type Ids } from './people/people'

type About = { keys: AuthKeys; users: Ids; merchants: Ids; now: Date }

/** The codes that were given out of late: good, over, or taken back. */
export async function seedPickup(tx: Tx, about: About): Promise<void> {
  for (const batch of handedOut) await seedHandedOut(tx, batch, about)
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
        where m.merchant_id = ${merchantId} group by p.id order by count(*) desc, p.id limit ${sql.lit(batch.places)}),
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
