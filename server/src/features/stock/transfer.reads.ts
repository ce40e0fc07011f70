import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getTransfer, listTransfers, Transfer } from '@aisle/contract/stock/transfer'
import { sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows } from '../../kernel/list'
import { existing } from '../../kernel/refuse'
import { merchantInSight, sightOf, subtreeOf } from '../../kernel/scope'

const transfersIn = (ctx: QueryContext) => sql<Transfer & { fromId: number; toId: number }>`
  select t.id, t.no, t.merchant_id as "merchantId", m.name as "merchantName", t.from_id as "fromId", t.to_id as "toId",
    f.name as "fromName", w.name as "toName", t.state,
    (select coalesce(sum(l.quantity), 0)::int from transfer_line l where l.transfer_id = t.id) as pieces,
    (select coalesce(sum(l.quantity - l.arrived), 0)::int from transfer_line l
      where l.transfer_id = t.id and l.arrived is not null) as lost,
    t.note, t.sender, to_json(t.sent_at) #>> '{}' as "sentAt", t.ender, to_json(t.ended_at) #>> '{}' as "endedAt"
  from transfer t join merchant m on m.id = t.merchant_id join warehouse f on f.id = t.from_id
  join warehouse w on w.id = t.to_id
  where ${merchantInSight(sightOf(ctx.actor), sql`t.merchant_id`)}`

export function listTransfersIn(
  ctx: QueryContext,
  { q, state, warehouseId, merchantId }: InputOf<typeof listTransfers>,
): Listing<Transfer> {
  const where = allOf([
    q && sql`(${holds(sql`no`, q)} or ${holds(sql`"fromName"`, q)} or ${holds(sql`"toName"`, q)})`,
    isAnyOf(sql`state`, state),
    warehouseId && sql`${warehouseId} in ("fromId", "toId")`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  return listRows({ rows: transfersIn(ctx), where, order: { by: sql`id`, type: 'bigint', newestFirst: true } })
}

type Detail = OutputOf<typeof getTransfer>

export async function findTransfer(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await sql<Transfer & { valueFen: number }>`
    select seen.*, (select coalesce(-sum(c.cost_fen), 0)::bigint from stock_cost c join warehouse w
      on w.place_id = c.place_id where w.id = seen."fromId" and c.reference = seen.no and c.cause = 'transfer'
        and c.quantity < 0) as "valueFen"
    from (${transfersIn(ctx)}) seen where id = ${id}`.execute(ctx.db)
  const {
    fromId: _from,
    toId: _to,
    ...head
  } = existing(found.rows[0]) as Transfer & {
    valueFen: number
    fromId?: number
    toId?: number
  }
  const lines = await sql<Detail['lines'][number]>`
    select l.line, p.code as "productCode", p.name as "productName", p.specification, l.batch, l.quantity, l.arrived
    from transfer_line l join product p on p.id = l.product_id where l.transfer_id = ${id} order by l.line`.execute(
    ctx.db,
  )
  return { ...head, lines: lines.rows }
}
