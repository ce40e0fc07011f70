import type { WantedBatch } from '@aisle/contract/pickup/batch'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import { endOf } from '../../kernel/platformDays'
import { exceedsSight, machineInSight, merchantInSight, type Sight } from '../../kernel/scope'
import { batchInSight, living } from './batch.reads'

export type Product = {
  id: number
  code: string
  name: string
  priceFen: number
  isOnline: boolean
  isPrescription: boolean
}

/** Products that a merchant may give, its own and those of the merchants above, by their codes. */
export async function findProducts(
  db: Reader,
  merchantId: number,
  codes: readonly string[],
): Promise<Map<string, Product>> {
  const found = await sql<Product>`
    select p.id, p.code, p.name, p.price_fen as "priceFen", p.state = 'online' as "isOnline",
      coalesce(p.medicine_class = 'rx', false) as "isPrescription"
    from product p join merchant own on own.id = ${merchantId} and p.merchant_id = any(own.path)
    where p.code = any(${[...new Set(codes)]}::text[])`.execute(db)
  return new Map(found.rows.map((product) => [product.code, product]))
}

type Places = Pick<WantedBatch, 'merchantId' | 'machineIds' | 'pointIds' | 'groupIds'>

/** Of the places named, how many are in sight and the merchant's own or of one below it. */
export async function countPlaces(db: Reader, sight: Sight, places: Places): Promise<number> {
  const { merchantId, machineIds, pointIds, groupIds } = places
  const own = sql`join merchant owner on owner.id = at.merchant_id and owner.path @> array[${merchantId}]::bigint[]`
  const found = await sql<{ count: number }>`select
    (select count(*) from machine at ${own} where at.id = any(${machineIds}::bigint[]) and at.retired_at is null
      and ${machineInSight(sight, sql`at.id`)})::int
    + (select count(*) from point at ${own} where at.id = any(${pointIds}::bigint[])
      and ${merchantInSight(sight, sql`at.merchant_id`)})::int
    + (select count(*) from machine_group at ${own} where at.id = any(${groupIds}::bigint[])
      and ${merchantInSight(sight, sql`at.merchant_id`)})::int as count`.execute(db)
  return found.rows[0]?.count ?? 0
}

/** When the last day of something is over at the network's home, and whether that lies ahead and within reach. */
export async function expiryOf(db: Reader, day: string, now: Date, mostYears: number) {
  const found = await sql<{ at: Date; isAhead: boolean; isWithin: boolean }>`
    select at, at > ${now} as "isAhead", at <= ${now}::timestamptz + make_interval(years => ${mostYears}) as "isWithin"
    from (select ${endOf(day)} as at) day`.execute(db)
  const [row] = found.rows
  if (!row) throw new Error('a day has no end')
  return row
}

type Scope = Places & Pick<WantedBatch, 'scope'>

/** Machines that stand below a merchant and are within the scope of what is wanted. */
const within = ({ scope, merchantId, machineIds, pointIds, groupIds }: Scope): RawBuilder<unknown> => sql`
  select m.id, m.code, m.name, m.merchant_id from machine m
  join merchant owner on owner.id = m.merchant_id and owner.path @> array[${merchantId}]::bigint[]
  where m.retired_at is null and (${scope} = 'all' or m.id = any(${machineIds}::bigint[])
    or m.point_id = any(${pointIds}::bigint[]) or exists (select 1 from machine_group_member g
      where g.machine_id = m.id and g.group_id = any(${groupIds}::bigint[])))`

/** Whether codes would give goods out of machines that aren't in the sight, or are so for less long than the codes. */
export async function exceeds(db: Reader, sight: Sight, scope: Scope, until: Date): Promise<boolean> {
  const kept = sql`select merchant_id, id as machine_id, ${until}::timestamptz as ends_at from (${within(scope)}) at`
  const found = await sql<{ more: boolean }>`select ${exceedsSight(sight, kept)} as more`.execute(db)
  return found.rows[0]?.more !== false
}

export async function findScope(db: Reader, batchId: number): Promise<Scope | undefined> {
  const named = (column: string) => sql`array(select ${sql.ref(column)} from pickup_place
    where batch_id = b.id and ${sql.ref(column)} is not null)`
  const found = await sql<Scope>`select b.merchant_id as "merchantId", b.scope, ${named('machine_id')} as "machineIds",
    ${named('point_id')} as "pointIds", ${named('group_id')} as "groupIds"
    from pickup_batch b where b.id = ${batchId}`.execute(db)
  return found.rows[0]
}

export type Reach = {
  machines: number
  complete: number
  byProduct: { productId: number; machines: number }[]
  blocked: { code: string; name: string; until: string }[]
}

/** Where codes could be used: which machines have the goods in a slot, and which take no codes for the moment. */
export async function findReach(
  db: Reader,
  wanted: WantedBatch,
  productIds: readonly number[],
  now: Date,
): Promise<Reach> {
  const ids = [...new Set(productIds)]
  const found = await sql<Reach>`with at as (${within(wanted)}),
    has as (select distinct s.machine_id, s.product_id from slot s join at on at.id = s.machine_id
      where s.product_id = any(${ids}::bigint[]))
    select (select count(*) from at)::int as machines,
      (select count(*) from (select 1 from has group by machine_id having count(*) = ${ids.length}) whole)::int
        as complete,
      coalesce((select json_agg(each) from (select product_id as "productId", count(*)::int as machines from has
        group by 1) each), '[]') as "byProduct",
      coalesce((select json_agg(each) from (select at.code, at.name, g.blocked_until as until
        from pickup_guess g join at on at.id = g.machine_id where g.blocked_until > ${now}
        order by g.blocked_until desc limit 20) each), '[]') as blocked`.execute(db)
  return found.rows[0] ?? { machines: 0, complete: 0, byProduct: [], blocked: [] }
}

/** A merchant's codes in force, those still to be made among them, and how many it may have (null: no limit). */
export async function findLimit(db: Reader, merchantId: number, now: Date) {
  const found = await sql<{ limit: number | null; inForce: number }>`
    select c.pickup_code_limit as limit, pickup_codes_in_force(c.id, ${now}) as "inForce"
    from merchant c where c.id = ${merchantId}`.execute(db)
  return found.rows[0] ?? { limit: null, inForce: 0 }
}

export type NewBatch = WantedBatch & { expiresAt: Date; createdBy: number; createdAt: Date }

export async function insertBatch(tx: Tx, batch: NewBatch): Promise<number> {
  const made = await sql<{ id: number }>`insert into pickup_batch (merchant_id, description, pickups_allowed, scope,
      count, expires_at, created_by, created_at)
    values (${batch.merchantId}, ${batch.description}, ${batch.pickupsAllowed}, ${batch.scope}, ${batch.count},
      ${batch.expiresAt}, ${batch.createdBy}, ${batch.createdAt}) returning id`.execute(tx)
  const id = made.rows[0]?.id
  if (id === undefined) throw new Error('no batch was written')
  return id
}

/** What a pick-up gives, piece by piece, and where, beside all machines of the merchant. */
export async function insertContent(
  tx: Tx,
  batchId: number,
  { productIds, machineIds, pointIds, groupIds }: Omit<Places, 'merchantId'> & { productIds: readonly number[] },
): Promise<void> {
  const content = productIds.map((productId, position) => ({ position, productId }))
  await sql`insert into pickup_content (batch_id, position, product_id)
    select ${batchId}, position, product_id
    from ${rows('c', content, { position: 'smallint', productId: 'bigint' })}`.execute(tx)
  await sql`insert into pickup_place (batch_id, machine_id, point_id, group_id)
    select ${batchId}::bigint, id, null::bigint, null::bigint from unnest(${once(machineIds)}::bigint[]) as at(id)
    union all select ${batchId}, null, id, null from unnest(${once(pointIds)}::bigint[]) as at(id)
    union all select ${batchId}, null, null, id from unnest(${once(groupIds)}::bigint[]) as at(id)`.execute(tx)
}

const once = (ids: readonly number[]) => [...new Set(ids)]

export type HeldBatch = {
  id: number
  merchantId: number
  description: string
  count: number
  made: number
  expiresAt: Date
  isMaking: boolean
  isCancelled: boolean
  /** A code of it can still be had, or could again. */
  isLiving: boolean
}

/** A batch in sight, locked. */
export async function lockBatch(tx: Tx, sight: Sight, id: number): Promise<HeldBatch | undefined> {
  const found = await sql<HeldBatch>`
    select b.id, b.merchant_id as "merchantId", b.description, b.count, b.made, b.expires_at as "expiresAt",
      b.state = 'making' as "isMaking", b.cancelled_at is not null as "isCancelled",
      exists (${living}) as "isLiving"
    from pickup_batch b where b.id = ${id} and ${batchInSight(sight)} for update of b`.execute(tx)
  return found.rows[0]
}
