import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type {
  getSupplierInvoice,
  getSupplierPayment,
  listSupplierInvoices,
  listSupplierPayments,
  SupplierInvoice,
  SupplierPayment,
} from '@aisle/contract/purchase/payable'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, summed } from '../../../kernel/list'
import { existing } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { ofSupplier } from './payable.reads'

const invoicesIn = (ctx: QueryContext) => sql<SupplierInvoice>`
  select i.id, i.merchant_id as "merchantId", m.name as "merchantName", i.supplier_id as "supplierId",
    s.name as "supplierName", i.number, to_char(i.issued_on, 'YYYY-MM-DD') as "issuedOn", i.state,
    i.amount_fen as "amountFen", i.agreed_fen as "agreedFen", i.difference_fen as "differenceFen",
    case when i.end_reason = '' then i.note else i.end_reason end as note, i.writer,
    to_json(i.written_at) #>> '{}' as "writtenAt", i.decider, to_json(i.decided_at) #>> '{}' as "decidedAt"
  from supplier_invoice i join merchant m on m.id = i.merchant_id join supplier s on s.id = i.supplier_id
  where ${merchantInSight(sightOf(ctx.actor), sql`i.merchant_id`)}`

const newest = { by: sql`id`, type: 'bigint' as const, newestFirst: true }

export function listInvoicesIn(
  ctx: QueryContext,
  filter: InputOf<typeof listSupplierInvoices>,
): Listing<SupplierInvoice, { amountFen: number; differenceFen: number }> {
  const { q, state } = filter
  const where = allOf([
    q && sql`(${holds(sql`"supplierName"`, q)} or ${holds(sql`number`, q)})`,
    isAnyOf(sql`state`, state),
    ...ofSupplier(filter),
  ])
  return listRows({ rows: invoicesIn(ctx), where, order: newest, sums: summed('amountFen', 'differenceFen') })
}

export async function findInvoice(
  ctx: QueryContext,
  { id }: { id: number },
): Promise<OutputOf<typeof getSupplierInvoice>> {
  const found = await sql<SupplierInvoice & { writtenBy: number | null }>`
    select seen.*, i.written_by as "writtenBy" from (${invoicesIn(ctx)}) seen
    join supplier_invoice i on i.id = seen.id where seen.id = ${id}`.execute(ctx.db)
  const { writtenBy, ...row } = existing(found.rows[0])
  const lines = await sql<Line>`select p.id, r.no as "receiptNo", p.kind, p.amount_fen as "amountFen"
    from payable p left join goods_receipt r on r.id = p.receipt_id where p.invoice_id = ${id} order by p.id`.execute(
    ctx.db,
  )
  return { ...row, mayDecide: writtenBy !== ctx.actor.userId, lines: lines.rows }
}

type Line = OutputOf<typeof getSupplierInvoice>['lines'][number]

const paymentsIn = (ctx: QueryContext) => sql<SupplierPayment>`
  select y.id, y.merchant_id as "merchantId", m.name as "merchantName", y.supplier_id as "supplierId",
    s.name as "supplierName", y.no, y.state, y.amount_fen as "amountFen", to_char(y.paid_on, 'YYYY-MM-DD') as "paidOn",
    y.bank_reference as "bankReference", case when y.end_reason = '' then y.note else y.end_reason end as note,
    y.writer, to_json(y.written_at) #>> '{}' as "writtenAt", y.decider,
    to_json(y.decided_at) #>> '{}' as "decidedAt"
  from supplier_payment y join merchant m on m.id = y.merchant_id join supplier s on s.id = y.supplier_id
  where ${merchantInSight(sightOf(ctx.actor), sql`y.merchant_id`)}`

export function listPaymentsIn(
  ctx: QueryContext,
  filter: InputOf<typeof listSupplierPayments>,
): Listing<SupplierPayment, { amountFen: number }> {
  const { q, state } = filter
  const where = allOf([
    q && sql`(${holds(sql`"supplierName"`, q)} or ${holds(sql`no`, q)} or ${holds(sql`"bankReference"`, q)})`,
    isAnyOf(sql`state`, state),
    ...ofSupplier(filter),
  ])
  return listRows({ rows: paymentsIn(ctx), where, order: newest, sums: summed('amountFen') })
}

export async function findPayment(
  ctx: QueryContext,
  { id }: { id: number },
): Promise<OutputOf<typeof getSupplierPayment>> {
  const found = await sql<SupplierPayment & { writtenBy: number | null; decidedBy: number | null }>`
    select seen.*, y.written_by as "writtenBy", y.decided_by as "decidedBy" from (${paymentsIn(ctx)}) seen
    join supplier_payment y on y.id = seen.id where seen.id = ${id}`.execute(ctx.db)
  const { writtenBy, decidedBy, ...row } = existing(found.rows[0])
  const { userId } = ctx.actor
  const lines = await findParts(ctx.db, id)
  return { ...row, mayDecide: writtenBy !== userId, mayTakeBack: decidedBy !== userId, lines }
}

async function findParts(db: Reader, id: number): Promise<Line[]> {
  const found = await sql<Line>`select p.id, r.no as "receiptNo", p.kind, l.amount_fen as "amountFen"
    from supplier_payment_line l join payable p on p.id = l.payable_id left join goods_receipt r on r.id = p.receipt_id
    where l.payment_id = ${id} order by p.id`.execute(db)
  return found.rows
}
