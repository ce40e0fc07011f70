import type { listWriteOffs, WriteOff } from '@aisle/contract/stock/writeOff'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, type Listing, listRows, summed } from '../../kernel/list'
import { type Sight, sightOf } from '../../kernel/scope'
import { only } from '../../kernel/must'
import { placeInSight } from './writeOff.commands'

export function listWriteOffsIn(
  ctx: QueryContext,
  { q, state, why, merchantId }: InputOf<typeof listWriteOffs>,
): Listing<WriteOff, { costFen: number }> {
  const rows = sql<WriteOff>`
    select w.id, w.merchant_id as "merchantId", m.name as "merchantName", p.id as "productId", p.code as "productCode",
      p.name as "productName", w.batch, to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn",
      coalesce(k.name, nullif(o.name, ''), m.name) as "placeName", k.code as "machineCode", s.code as "slotCode",
      w.quantity, w.cost_fen as "costFen", w.why, w.note, w.state, w.asker as "askedBy",
      to_json(w.asked_at) #>> '{}' as "askedAt", w.decider as "decidedBy",
      to_json(w.decided_at) #>> '{}' as "decidedAt"
    from write_off w join merchant m on m.id = w.merchant_id join product p on p.id = w.product_id
    join place o on o.id = w.place_id left join slot s on s.place_id = w.place_id
    left join machine k on k.id = s.machine_id
    left join medicine_batch b on b.product_id = w.product_id and b.number = w.batch
    where ${placeInSight(sightOf(ctx.actor))}`
  const where = allOf([
    q && sql`(${holds(sql`"productName"`, q)} or ${holds(sql`batch`, q)} or "machineCode" = ${q})`,
    state && sql`state = ${sql.lit(state)}`,
    why && sql`why = ${why}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  return listRows({ rows, where, order, sums: summed('costFen') })
}

export async function countWaitingWriteOffs(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from write_off w
    join place o on o.id = w.place_id left join slot s on s.place_id = w.place_id
    where w.state = 'waiting' and ${placeInSight(sight)}`.execute(db)
  return only(found).count
}
