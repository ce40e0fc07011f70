import { pickupCodeState } from '@aisle/contract/pickup/states'
import type { getBatch, listBatches, listContentProducts, PickupBatch } from '@aisle/contract/pickup/batch'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../db/instant'
import type { Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows } from '../../kernel/list'
import { machineInSight, merchantInSight, type Sight, subtreeOf } from '../../kernel/scope'
import { statesIn } from '../../kernel/states'

/** Of a batch, its product codes as they were typed, and its goods in words; asked only for what a page shows. */
export const contentText = sql`(select string_agg(p.code, '*' order by k.position)
  from pickup_content k join product p on p.id = k.product_id where k.batch_id = b.id)`
export const goodsText = sql`(select string_agg(name || case when n > 1 then ' ×' || n else '' end,
    ' · ' order by first)
  from (select p.name, count(*) as n, min(k.position) as first
    from pickup_content k join product p on p.id = k.product_id where k.batch_id = b.id group by p.id) goods)`

/** Products of batches are looked for by code or by a part of the name. */
export const batchesWith = (product: string): RawBuilder<unknown> => sql`
  select k.batch_id from pickup_content k join product p on p.id = k.product_id
  where p.code = ${product} or ${holds(sql`p.name`, product)}`

/**
 * Whoever sees a merchant sees its batches `b`; whoever is granted some of its machines, those whose codes are good at
 * one of them.
 */
export const batchInSight = (sight: Sight): RawBuilder<boolean> =>
  sight.kind === 'granted' ? sql`b.id in (${reached(sight)})` : merchantInSight(sight, sql`b.merchant_id`)

/** Found from the machines, which are few beside the batches. */
export const reached = (sight: Extract<Sight, { kind: 'granted' }>): RawBuilder<unknown> => sql`
  with own as materialized (
    select m.id, m.point_id from machine m join merchant owner on owner.id = m.merchant_id
    where owner.path @> array[${sight.merchantId}]::bigint[] and ${machineInSight(sight, sql`m.id`)})
  select r.id from pickup_batch r where r.merchant_id = ${sight.merchantId} and (
    r.scope = 'all' and exists (select from own) or r.id in (
      select l.batch_id from pickup_place l join own on own.id = l.machine_id
      union all select l.batch_id from pickup_place l join own on own.point_id = l.point_id
      union all select l.batch_id from pickup_place l join machine_group_member g on g.group_id = l.group_id
        join own on own.id = g.machine_id))`

/** In the words of the index that finds one at once. */
export const living = sql`select 1 from pickup_code c where c.batch_id = b.id
  and c.state in ${statesIn(pickupCodeState, 'living')}`

const rowsInSight = (sight: Sight, now: Date): RawBuilder<PickupBatch> => sql`
  select b.id, b.description, b.merchant_id as "merchantId", m.name as "merchantName",
    case when b.cancelled_at is not null then 'cancelled' when b.state = 'making' then 'making'
      when b.expires_at <= ${now} then 'expired' when not exists (${living}) then 'usedUp'
      when not b.is_valid then 'invalid' else 'ready' end as state,
    ${contentText} as content, ${goodsText} as goods, b.pickups_allowed as "pickupsAllowed", b.scope, b.count, b.made,
    ${iso('b.expires_at')} as "expiresAt", ${iso('b.created_at')} as "createdAt", u.display_name as "createdByName"
  from pickup_batch b join merchant m on m.id = b.merchant_id left join app_user u on u.id = b.created_by
  where ${batchInSight(sight)}`

export function listBatchesIn(sight: Sight, filter: InputOf<typeof listBatches>, now: Date): Listing<PickupBatch> {
  const { q, state, merchantId, product } = filter
  const where = allOf([
    q && sql`(${holds(sql`description`, q)} or id::text = ${q})`,
    isAnyOf(sql`state`, state),
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
    product && sql`id in (${batchesWith(product)})`,
  ])
  const order = { by: sql`id`, type: 'bigint', newestFirst: true } as const
  return listRows({ rows: rowsInSight(sight, now), where, order })
}

type Detail = OutputOf<typeof getBatch>

export async function findPickupBatchDetail(
  db: Reader,
  sight: Sight,
  id: number,
  now: Date,
): Promise<Detail | undefined> {
  const found = await sql<Omit<Detail, 'living'>>`
    select seen.*, ${iso('b.cancelled_at')} as "cancelledAt", u.display_name as "cancelledByName",
      b.cancel_reason as "cancelReason", b.is_due as "isFollowing", codes."byState", codes.pieces, codes.shipped,
      (select json_agg(json_build_object('code', code, 'name', name, 'quantity', n) order by first)
        from (select p.code, p.name, count(*) as n, min(k.position) as first
          from pickup_content k join product p on p.id = k.product_id where k.batch_id = b.id group by p.id) goods)
        as products,
      coalesce((select json_agg(json_build_object('kind', kind, 'code', code, 'name', name) order by kind, code)
        from (${placesOf}) place), '[]') as places
    from (${rowsInSight(sight, now)}) seen join pickup_batch b on b.id = seen.id
    left join app_user u on u.id = b.cancelled_by
    cross join lateral (select coalesce(json_agg(json_build_object('state', state, 'count', n)), '[]') as "byState",
        coalesce(sum(pieces), 0)::int as pieces, coalesce(sum(shipped), 0)::int as shipped
      from (select state, count(*)::int as n, sum(pieces) as pieces, sum(shipped) as shipped
        from pickup_code where batch_id = b.id group by state) each) codes
    where seen.id = ${id}`.execute(db)
  const [batch] = found.rows
  const living = batch?.byState.filter(({ state }) => givable.has(state)).reduce((sum, { count }) => sum + count, 0)
  return batch && { ...batch, living: living ?? 0 }
}

const givable: ReadonlySet<string> = new Set(['unused', 'partly_shipped', 'invalid'])

const placesOf = sql`
  select case when l.machine_id is not null then 'machine' when l.point_id is not null then 'point' else 'group' end
      as kind, coalesce(m.code, '') as code, coalesce(m.name, p.name, g.name) as name
  from pickup_place l left join machine m on m.id = l.machine_id left join point p on p.id = l.point_id
  left join machine_group g on g.id = l.group_id where l.batch_id = b.id limit 200`

type Listed = OutputOf<typeof listContentProducts>['items'][number]

export function products(sight: Sight, filter: InputOf<typeof listContentProducts>): Listing<Listed> {
  const { merchantId, q } = filter
  const rows = sql<Listed>`select p.id, p.code, p.name, p.specification from product p
    join merchant own on own.id = ${merchantId} and p.merchant_id = any(own.path)
    where p.state = 'online' and ${merchantInSight(sight, sql`own.id`)}`
  const where = allOf([q && sql`(${holds(sql`name`, q)} or ${holds(sql`code`, q)})`])
  return listRows({ rows, where, order: { by: sql`name`, type: 'text' } })
}
