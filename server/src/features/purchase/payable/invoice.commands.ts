import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { addSupplierInvoice, refuseSupplierInvoice } from '@aisle/contract/purchase/payable'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { refusedBy } from '../../../kernel/constraint'
import { only } from '../../../kernel/must'
import { refusal, refuse } from '../../../kernel/refuse'
import { postTransfers } from '../../ledger/public'
import { holdSupplier } from '../order/order.store'
import { differencePostings } from './payable.rules'
import { type HeldInvoice, holdInvoice, holdPayables, invoices } from './payable.store'

const audit = auditAs('supplierInvoice')

export async function addInvoice(ctx: CommandContext, input: InputOf<typeof addSupplierInvoice>) {
  const { supplierId, payableIds, number, issuedOn, amountFen, note } = input
  const { merchantId, day } = await holdSupplier(ctx, supplierId)
  const ids = [...new Set(payableIds)]
  const owed = await holdPayables(ctx.tx, supplierId, ids)
  if (owed.length < ids.length) refuse('payable.unknown')
  if (owed.some(({ invoiceId }) => invoiceId !== null)) refuse('supplierInvoice.invoiced')
  const agreedFen = owed.reduce((sum, each) => sum + each.amountFen, 0)
  const { userId, displayName } = ctx.actor
  const made = await refusedBy(
    'supplier_invoice_number',
    sql<{
      id: number
      differenceFen: number
    }>`insert into supplier_invoice (merchant_id, supplier_id, number,
        issued_on, amount_fen, agreed_fen, note, written_by, writer, written_at)
      values (${merchantId}, ${supplierId}, ${number}, ${issuedOn}::date, ${amountFen}, ${agreedFen}, ${note},
        ${userId}, ${displayName}, ${ctx.now()}) returning id, difference_fen as "differenceFen"`.execute(ctx.tx),
    () => refusal('supplierInvoice.taken', { number }),
  )
  const { id, differenceFen } = only(made)
  await sql`update payable set invoice_id = ${id} where id = any(${ids}::bigint[])`.execute(ctx.tx)
  await audit(ctx, { id, merchantId }, null, { number, issuedOn, amountFen, agreedFen })
  const about = { id, merchantId, supplierId, number, differenceFen, writtenBy: userId, day }
  const invoice: HeldInvoice = { ...about, state: 'waiting' }
  if (differenceFen !== 0) return { id, state: invoice.state }
  return { id, state: await invoices.move(ctx.tx, invoice, 'pass', byOf(ctx)) }
}

const byOf = (ctx: CommandContext) => ({
  decidedBy: ctx.actor.userId,
  decider: ctx.actor.displayName,
  decidedAt: ctx.now(),
})

/** The difference is owed, or credited, from now on, and is due with the last of what it is for. */
export async function acceptInvoice(ctx: CommandContext, { id }: { id: number }) {
  const invoice = await holdInvoice(ctx, id, 'accept')
  if (invoice.writtenBy === ctx.actor.userId) refuse('supplierInvoice.ownRequest')
  const { merchantId, supplierId, differenceFen: amountFen, day } = invoice
  await sql`insert into payable (merchant_id, supplier_id, kind, invoice_id, amount_fen, due_on, booked_at)
    select ${merchantId}, ${supplierId}, 'difference', ${id}, ${amountFen}, coalesce(max(due_on), ${day}::date),
      ${ctx.now()} from payable where invoice_id = ${id}`.execute(ctx.tx)
  const postings = differencePostings({ merchantId, supplierId, amountFen })
  const about = { kind: 'supplier_invoice' as const, reference: String(id), merchantId, businessDay: day }
  await postTransfers(ctx.tx, [{ ...about, postedAt: ctx.now(), postings }])
  const state = await invoices.move(ctx.tx, invoice, 'accept', byOf(ctx))
  await audit(ctx, invoice, { state: invoice.state }, { state, differenceFen: amountFen })
  return { id, state }
}

export async function refuseInvoice(ctx: CommandContext, { id, reason }: InputOf<typeof refuseSupplierInvoice>) {
  const invoice = await holdInvoice(ctx, id, 'refuse')
  await sql`update payable set invoice_id = null where invoice_id = ${id}`.execute(ctx.tx)
  const state = await invoices.move(ctx.tx, invoice, 'refuse', { ...byOf(ctx), endReason: reason })
  await audit(ctx, invoice, { state: invoice.state }, { state, reason })
  return { id, state }
}
