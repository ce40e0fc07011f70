import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  type getSupplierReturn,
  type listSupplierReturns,
  type SupplierReturn,
  supplierReturnState,
} from '@aisle/contract/purchase/supplierReturn'
import { writeOffSecondPerson } from '@aisle/contract/system/settings'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, summed } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { existing } from '../../../kernel/refuse'
import { merchantInSight, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { settingOf } from '../../../kernel/settings'

const rowsInSight = (sight: Sight): RawBuilder<SupplierReturn> => sql`
  select r.id, r.no, r.merchant_id as "merchantId", m.name as "merchantName", r.supplier_id as "supplierId",
    s.name as "supplierName", w.name as "fromName", r.state, r.why, r.note, l.pieces, l.total as "totalFen",
    r.credited_fen as "creditedFen", r.credit_note as "creditNote", r.maker, to_json(r.made_at) #>> '{}' as "madeAt",
    r.approver, to_json(r.approved_at) #>> '{}' as "approvedAt", r.sender, to_json(r.sent_at) #>> '{}' as "sentAt",
    to_json(r.ended_at) #>> '{}' as "endedAt", r.end_reason as "endReason"
  from supplier_return r join merchant m on m.id = r.merchant_id join supplier s on s.id = r.supplier_id
  join warehouse w on w.id = r.warehouse_id
  cross join lateral (
    select coalesce(sum(l.quantity), 0)::int as pieces, coalesce(sum(l.cost_fen), 0)::bigint as total
    from supplier_return_line l where l.return_id = r.id) l
  where ${merchantInSight(sight, sql`r.merchant_id`)}`

export function listSupplierReturnsIn(
  ctx: QueryContext,
  { q, state, why, supplierId, merchantId }: InputOf<typeof listSupplierReturns>,
): Listing<SupplierReturn, { totalFen: number }> {
  const where = allOf([
    q && sql`(${holds(sql`no`, q)} or ${holds(sql`"supplierName"`, q)} or ${holds(sql`"creditNote"`, q)})`,
    isAnyOf(sql`state`, state),
    why && sql`why = ${why}`,
    supplierId && sql`"supplierId" = ${supplierId}`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  return listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order, sums: summed('totalFen') })
}

type Detail = OutputOf<typeof getSupplierReturn>

export async function findSupplierReturn(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await sql<SupplierReturn & { isOwn: boolean }>`
    select seen.*, coalesce(r.made_by = ${ctx.actor.userId}, false) as "isOwn"
    from (${rowsInSight(sightOf(ctx.actor))}) seen join supplier_return r on r.id = seen.id
    where seen.id = ${id}`.execute(ctx.db)
  const { isOwn, ...row } = existing(found.rows[0])
  const limitFen = await settingOf(ctx.db, writeOffSecondPerson, row.merchantId)
  return { ...row, mayApprove: !isOwn || row.totalFen <= limitFen, lines: await findLines(ctx.db, id) }
}

async function findLines(db: Reader, id: number): Promise<Detail['lines']> {
  const found = await sql<Detail['lines'][number]>`
    select l.line, l.product_id as "productId", p.code as "productCode", p.name as "productName", p.specification,
      l.batch, to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", l.quantity, l.cost_fen as "costFen",
      l.receipt_id as "receiptId", r.no as "receiptNo"
    from supplier_return_line l join product p on p.id = l.product_id join goods_receipt r on r.id = l.receipt_id
    left join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
    where l.return_id = ${id} order by l.line`.execute(db)
  return found.rows
}

/** Returns that somebody has to agree to. */
export async function countWaitingReturns(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from supplier_return r
    where r.state = ${supplierReturnState.initial} and ${merchantInSight(sight, sql`r.merchant_id`)}`.execute(db)
  return only(found).count
}
