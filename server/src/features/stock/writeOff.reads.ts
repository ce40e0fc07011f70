import type { getWriteOff, listLyingGoods, listWriteOffs, LyingGoods, WriteOff } from '@aisle/contract/stock/writeOff'
import { writeOffState } from '@aisle/contract/stock/writeOff'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, summed } from '../../kernel/list'
import { existing } from '../../kernel/refuse'
import { type Sight, sightOf, subtreeOf } from '../../kernel/scope'
import { only } from '../../kernel/must'
import { isToday, placeInSight } from './writeOff.store'

const rowsInSight = (sight: Sight): RawBuilder<WriteOff> => sql`
  select w.id, w.merchant_id as "merchantId", m.name as "merchantName", p.id as "productId", p.code as "productCode",
    p.name as "productName", w.batch, to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", o.kind as "placeKind",
    coalesce(k.name, nullif(o.name, ''), m.name) as "placeName", k.code as "machineCode", s.code as "slotCode",
    w.quantity, w.cost_fen as "costFen", w.why, w.note, w.pictures, w.end_reason as "endReason", w.state,
    w.asker as "askedBy", to_json(w.asked_at) #>> '{}' as "askedAt", w.decider as "decidedBy",
    to_json(w.decided_at) #>> '{}' as "decidedAt"
  from write_off w join merchant m on m.id = w.merchant_id join product p on p.id = w.product_id
  join place o on o.id = w.place_id left join slot s on s.place_id = w.place_id
  left join machine k on k.id = s.machine_id
  left join medicine_batch b on b.product_id = w.product_id and b.number = w.batch
  where ${placeInSight(sight)}`

export function listWriteOffsIn(
  ctx: QueryContext,
  { q, state, why, placeKind, merchantId }: InputOf<typeof listWriteOffs>,
): Listing<WriteOff, { costFen: number }> {
  const where = allOf([
    q && sql`(${holds(sql`"productName"`, q)} or ${holds(sql`batch`, q)} or "machineCode" = ${q})`,
    isAnyOf(sql`state`, state),
    isAnyOf(sql`why`, why),
    isAnyOf(sql`"placeKind"`, placeKind),
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  return listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order, sums: summed('costFen') })
}

export async function findWriteOff(ctx: QueryContext, { id }: { id: number }): Promise<OutputOf<typeof getWriteOff>> {
  const found = await sql<WriteOff & { isOwn: boolean; isToday: boolean }>`
    select seen.*, coalesce(w.asked_by = ${ctx.actor.userId}, false) as "isOwn", ${isToday(ctx.now())} as "isToday"
    from (${rowsInSight(sightOf(ctx.actor))}) seen join write_off w on w.id = seen.id
    join merchant m on m.id = w.merchant_id where seen.id = ${id}`.execute(ctx.db)
  const { isOwn, isToday: today, ...row } = existing(found.rows[0])
  const mayReverse = writeOffState.can(row.state, 'reverse') && !isOwn && today
  return { ...row, mayDecide: !isOwn, mayReverse }
}

/**
 * By batch where the books tell batches apart, and what is left of the product without; ids of the two kinds of row are
 * even and odd. What is on its way is a transfer's.
 */
export function listLyingGoodsIn(
  ctx: QueryContext,
  { q, placeKind }: InputOf<typeof listLyingGoods>,
): Listing<LyingGoods> {
  const rows = sql<LyingGoods>`
    select l.id, l.place_id as "placeId", o.kind as "placeKind",
      coalesce(k.name, nullif(o.name, ''), m.name) as "placeName", k.code as "machineCode", s.code as "slotCode",
      p.id as "productId", p.code as "productCode", p.name as "productName", p.specification, l.batch,
      to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", l.quantity,
      case when v.pieces > 0 then round(v.value_fen::numeric * l.quantity / v.pieces)::bigint
        else l.quantity * coalesce(p.cost_fen, 0) end as "costFen"
    from (
      select b.id * 2 as id, b.place_id, b.product_id, b.batch, b.quantity from batch_level b where b.quantity > 0
      union all
      select t.id * 2 + 1, t.place_id, t.product_id, '', t.quantity - coalesce((select sum(b.quantity)::int
        from batch_level b where b.place_id = t.place_id and b.product_id = t.product_id and b.quantity > 0), 0)
      from stock_level t where t.quantity > 0) l
    join place o on o.id = l.place_id and o.kind <> 'transit' join product p on p.id = l.product_id
    join merchant m on m.id = o.merchant_id left join slot s on s.place_id = l.place_id
    left join machine k on k.id = s.machine_id
    left join stock_value v on v.place_id = l.place_id and v.product_id = l.product_id
    left join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
    where l.quantity > 0 and ${placeInSight(sightOf(ctx.actor))}`
  const where = allOf([
    q &&
      sql`(${holds(sql`"productName"`, q)} or ${holds(sql`batch`, q)} or ${holds(sql`"placeName"`, q)}
        or "machineCode" = ${q} or "productCode" = ${q})`,
    isAnyOf(sql`"placeKind"`, placeKind),
  ])
  // What has no end stands behind all that has.
  const order = { by: sql`coalesce("expiresOn", '9999')`, type: 'text' as const }
  return listRows({ rows, where, order })
}

export async function countWaitingWriteOffs(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from write_off w
    join place o on o.id = w.place_id left join slot s on s.place_id = w.place_id
    where w.state = 'waiting' and ${placeInSight(sight)}`.execute(db)
  return only(found).count
}
