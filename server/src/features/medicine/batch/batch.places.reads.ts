import type { listBatchPlaces, listProductBatches } from '@aisle/contract/medicine/batch'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { medicineMarginDays } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { QueryContext } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows } from '../../../kernel/list'
import { sightOf } from '../../../kernel/scope'
import { settingOf } from '../../../kernel/settings'
import { placeInSight } from './batch.reads'
import { ofLine, sellableRow } from './batch.store'
import { type BatchState, sellable } from '@aisle/contract/medicine/batchState'

type Place = OutputOf<typeof listBatchPlaces>['items'][number]
type Asked = { productId: number; number: string; merchantId: number; state: BatchState; expiresOn: string }

/** Nothing behind a batch that may be sold is trapped by it. */
export async function batchPlacesIn(
  ctx: QueryContext,
  { batchId, kind, machineCode }: InputOf<typeof listBatchPlaces>,
): Promise<Listing<Place>> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Asked>`select b.product_id as "productId", b.number, p.merchant_id as "merchantId", b.state,
      b.expires_on::text as "expiresOn"
    from medicine_batch b join product p on p.id = b.product_id
    where b.id = ${batchId} and ${ofLine(ctx, sql`p.merchant_id`)}`.execute(ctx.db)
  const batch = found.rows[0]
  const day = businessTime(ctx.now(), PLATFORM_TIME_ZONE).day
  const marginDays = batch ? await settingOf(ctx.db, medicineMarginDays, batch.merchantId) : 0
  const isBlocking = batch !== undefined && !sellable(batch, day, marginDays)
  const { productId, number } = batch ?? { productId: 0, number: '' }
  const rows = sql<Place>`
    select p.id, p.kind, case when p.kind = 'slot' then t.name else p.name end as "placeName",
      c.name as "merchantName", m.code as "machineCode", m.name as "machineName", s.code as "slotCode", l.quantity,
      ahead.pieces as ahead, coalesce(behind.pieces, 0)::int as trapped,
      (coalesce(behind.pieces, 0) * coalesce(s.price_fen, 0))::bigint as "trappedFen",
      exists (select from layer_doubt d where d.place_id = p.id and d.product_id = l.product_id) as "isDoubtful"
    from batch_level l join place p on p.id = l.place_id join merchant c on c.id = p.merchant_id
    left join slot s on s.place_id = p.id left join machine m on m.id = s.machine_id
    left join point t on t.id = m.point_id
    left join lateral (select min(y.sequence) as sequence from slot_layer y
      where y.place_id = p.id and y.product_id = l.product_id and y.batch = l.batch) own on true
    left join lateral (select coalesce(sum(y.quantity), 0)::int as pieces from slot_layer y
      where y.place_id = p.id and y.product_id = l.product_id and y.sequence < own.sequence) ahead on p.kind = 'slot'
    left join lateral (select sum(y.quantity)::int as pieces from slot_layer y
      left join medicine_batch b on b.product_id = y.product_id and b.number = y.batch
      where ${sql.lit(isBlocking)} and y.place_id = p.id and y.product_id = l.product_id
        and y.sequence > own.sequence and ${sellableRow('b', addDays(day, marginDays))}) behind on true
    where l.product_id = ${productId} and l.batch = ${number} and l.quantity > 0 and ${placeInSight(sight)}`
  const where = allOf([
    isAnyOf(sql`kind`, kind),
    machineCode && sql`"machineCode" is not null and ${holds(sql`"machineCode"`, machineCode)}`,
  ])
  const by = sql`case kind when 'warehouse' then '0' when 'transit' then '1' when 'replenisher' then '2'
    else '3' || "machineCode" || ' ' || "slotCode" end`
  return listRows({ rows, where, order: { by, type: 'text' } })
}

type Lying = OutputOf<typeof listProductBatches>['items'][number]

export function productBatchesIn(ctx: QueryContext, { productId }: InputOf<typeof listProductBatches>): Listing<Lying> {
  const day = businessTime(ctx.now(), PLATFORM_TIME_ZONE).day
  const rows = sql<Lying>`
    select l.id, b.id as "batchId", l.batch as number,
      case when b.state = 'available' and b.expires_on < ${day}::date then 'expired' else b.state end as shown,
      to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", b.expires_on - ${day}::date as "daysLeft", p.kind,
      case when p.kind = 'slot' then t.name else p.name end as "placeName", m.code as "machineCode",
      s.code as "slotCode", l.quantity
    from batch_level l join product d on d.id = l.product_id join place p on p.id = l.place_id
    left join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
    left join slot s on s.place_id = p.id left join machine m on m.id = s.machine_id
    left join point t on t.id = m.point_id
    where l.product_id = ${productId} and l.quantity > 0 and p.holds and ${ofLine(ctx, sql`d.merchant_id`)}
      and ${placeInSight(sightOf(ctx.actor))}`
  return listRows({ rows, order: { by: sql`coalesce("daysLeft", 1000000)::bigint`, type: 'bigint' } })
}
