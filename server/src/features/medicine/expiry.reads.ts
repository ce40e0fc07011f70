import type { ExpiryRow, listExpiring, summariseExpiry } from '@aisle/contract/medicine/expiry'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { expiryNearMonths } from '@aisle/contract/system/settings'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order, summed } from '../../kernel/list'
import { only } from '../../kernel/must'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { settingIn } from './setting.sql'

type Filter = InputOf<typeof listExpiring>
type Sums = { valueFen: number; costFen: number }

/** In sight by its machine, or by whose warehouse or bag it lies in. */
export const levelInSight = (sight: Sight): RawBuilder<boolean> => sql<boolean>`case when s.machine_id is null
  then ${merchantInSight(sight, sql`o.merchant_id`)} else ${machineInSight(sight, sql`s.machine_id`)} end`

/** As `nearFrom` says it of batch `b`, product `p` and merchant `m` (expiry.rules.ts; expiry.test.ts compares both). */
export const nearFromIn = sql<string>`case
  when coalesce(b.expires_on - b.produced_on, p.shelf_life_days) <= 366
    then b.expires_on - coalesce(b.expires_on - b.produced_on, p.shelf_life_days) / 2
  else (b.expires_on - make_interval(months => case coalesce(d.storage, 'room')
    when 'cold' then ${settingIn(expiryNearMonths.cold)} when 'cool' then ${settingIn(expiryNearMonths.cool)}
    else ${settingIn(expiryNearMonths.room)} end))::date end`

/** No setting looks further ahead than two years. */
const rowsInSight = (sight: Sight, now: Date): RawBuilder<ExpiryRow> => sql`
  select *, case when "daysLeft" < 0 then 'expired' else 'near' end as standing,
    coalesce(behind, 0) as trapped, coalesce(behind, 0) * price_fen as "trappedFen",
    quantity * cost as "costFen", quantity * price_fen as "valueFen"
  from (
    select l.id, p.id as "productId", p.code as "productCode", p.name as "productName", p.specification,
      b.id as "batchId", b.number as batch, to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", b.expires_on,
      b.expires_on - t.today as "daysLeft", case b.state when 'locked' then 'locked' when 'recalled' then 'recalled'
        when 'rejected' then 'rejected' end as stop,
      coalesce(k.name, nullif(o.name, ''), m.name) as "placeName", k.code as "machineCode", s.code as "slotCode",
      m.id as "merchantId", m.name as "merchantName", d.storage, l.quantity, coalesce(p.cost_fen, 0) as cost,
      coalesce(s.price_fen, p.price_fen) as price_fen, front.behind is not null as "isBlocking", front.behind,
      exists (select from pull_item i join repair_order r on r.id = i.order_id where i.place_id = l.place_id
        and i.product_id = l.product_id and i.batch = l.batch and r.closed_at is null) as "isPulled"
    from batch_level l join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
    join product p on p.id = l.product_id left join medicine d on d.product_id = p.id
    join place o on o.id = l.place_id left join slot s on s.place_id = l.place_id
    left join machine k on k.id = s.machine_id
    join merchant m on m.id = coalesce(k.merchant_id, o.merchant_id)
    cross join lateral (select (${now}::timestamptz at time zone coalesce(k.time_zone, m.time_zone))::date as today) t
    left join lateral (
      select coalesce(sum(v.quantity) filter (where coalesce(w.expires_on >= t.today and w.state = 'available', true)),
        0)::int as behind
      from slot_layer v left join medicine_batch w on w.product_id = v.product_id and w.number = v.batch
      where v.place_id = l.place_id and v.product_id = l.product_id
      having b.expires_on < t.today and ((array_agg(v.batch order by v.sequence))[1] = l.batch or exists (
        select from layer_doubt u where u.place_id = l.place_id and u.product_id = l.product_id))) front on true
    where l.quantity > 0 and o.holds and b.expires_on < ${now}::timestamptz::date + 732
      and t.today >= least(${nearFromIn}, b.expires_on + 1) and ${levelInSight(sight)}
  ) lying`

/** First what ends first, and of one day what is worth most. */
const orders: Record<Filter['sort'], Order> = {
  expiry: {
    by: sql`(expires_on - date '2000-01-01')::bigint * 1000000000 + 999999999 - least("valueFen", 999999999)`,
    type: 'bigint',
  },
  money: { by: sql`"valueFen"::bigint`, type: 'bigint', newestFirst: true },
}

export function listExpiringIn(ctx: QueryContext, filter: Filter): Listing<ExpiryRow, Sums> {
  const { find, standing, within, blocking, storage, machineCode, batchId, merchantId, sort } = filter
  const where = allOf([
    find &&
      sql`(${holds(sql`"productName"`, find)} or ${holds(sql`batch`, find)} or ${holds(sql`"placeName"`, find)}
        or "machineCode" = ${find} or "productCode" = ${find})`,
    standing && sql`standing = ${standing}`,
    within && sql`"daysLeft" between 0 and ${Number(within)}`,
    blocking && sql`"isBlocking"`,
    isAnyOf(sql`storage`, storage),
    machineCode && sql`"machineCode" = ${machineCode}`,
    batchId && sql`"batchId" = ${batchId}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  const rows = rowsInSight(sightOf(ctx.actor), ctx.now())
  return listRows<ExpiryRow, Sums>({ rows, where, order: orders[sort], sums: summed('valueFen', 'costFen') })
}

type Summary = OutputOf<typeof summariseExpiry>

export async function summary(ctx: QueryContext): Promise<Summary> {
  const fen = (where: RawBuilder<unknown>) => sql`coalesce(sum("valueFen") filter (where ${where}), 0)::bigint`
  const count = (where: RawBuilder<unknown>) => sql`(count(*) filter (where ${where}))::int`
  const [expired, near, soon] = [sql`"daysLeft" < 0`, sql`"daysLeft" >= 0`, sql`"daysLeft" between 0 and 30`]
  const found = await sql<Summary>`select ${count(expired)} as expired, ${fen(expired)} as "expiredFen",
      ${count(near)} as near, ${fen(near)} as "nearFen", ${count(soon)} as within30, ${fen(soon)} as "within30Fen",
      ${count(sql`"isBlocking"`)} as blocking, coalesce(sum("trappedFen"), 0)::bigint as "trappedFen"
    from (${rowsInSight(sightOf(ctx.actor), ctx.now())}) seen`.execute(ctx.db)
  return only(found)
}

/** Places that hold what has expired. */
export async function countExpired(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from medicine_batch b
    join batch_level l on l.product_id = b.product_id and l.batch = b.number and l.quantity > 0
    join place o on o.id = l.place_id and o.holds left join slot s on s.place_id = l.place_id
    left join machine k on k.id = s.machine_id join merchant m on m.id = coalesce(k.merchant_id, o.merchant_id)
    where b.expires_on < now()::date + 1 and ${levelInSight(sight)}
      and b.expires_on < (now() at time zone coalesce(k.time_zone, m.time_zone))::date`.execute(db)
  return only(found).count
}

export type ExpiryNews = { merchantId: number; day: string; expired: number; soon: number }

/** What each merchant has to know of a morning: how many places hold what has expired, or will within a month. */
export async function expiryNews(db: Reader, now: Date): Promise<ExpiryNews[]> {
  const found = await sql<ExpiryNews>`
    select m.id as "merchantId", to_char(t.today, 'YYYY-MM-DD') as day,
      (count(*) filter (where b.expires_on < t.today))::int as expired,
      (count(*) filter (where b.expires_on >= t.today))::int as soon
    from medicine_batch b
    join batch_level l on l.product_id = b.product_id and l.batch = b.number and l.quantity > 0
    join place o on o.id = l.place_id and o.holds left join slot s on s.place_id = l.place_id
    left join machine k on k.id = s.machine_id join merchant m on m.id = coalesce(k.merchant_id, o.merchant_id)
    cross join lateral (select (${now}::timestamptz at time zone m.time_zone)::date as today) t
    where b.expires_on < ${now}::timestamptz::date + 32 and b.expires_on <= t.today + 30
    group by 1, 2 order by 1`.execute(db)
  return found.rows
}
