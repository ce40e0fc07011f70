import { supplierInvoiceState, supplierPaymentState } from '@aisle/contract/purchase/payable'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { CommandContext, Tx } from '../../../kernel/context'
import { dayAt } from '../../../kernel/platformDays'
import { existing, refuse } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { stateful, stateTo } from '../../../kernel/states'
import type { Owed, Part } from './payable.rules'

/** @throws Refusal supplierInvoice.state */
export const invoices = stateful('supplierInvoice', 'state', supplierInvoiceState, {
  versioned: false,
  refuse: ({ number }: HeldInvoice) => refuse('supplierInvoice.state', { number }),
})
/** @throws Refusal supplierPayment.state */
export const payments = stateful('supplierPayment', 'state', supplierPaymentState, {
  versioned: false,
  refuse: ({ no }: HeldPayment) => refuse('supplierPayment.state', { no }),
})

type Deciding = { id: number; merchantId: number; supplierId: number; writtenBy: number | null; day: string }
export type HeldInvoice = Deciding & {
  number: string
  state: (typeof supplierInvoiceState.states)[number]
  differenceFen: number
}
export type HeldPayment = Deciding & {
  no: string
  state: (typeof supplierPaymentState.states)[number]
  amountFen: number
  decidedBy: number | null
}

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function holdInvoice(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof supplierInvoiceState.moves,
): Promise<HeldInvoice> {
  const found = await sql<HeldInvoice>`
    select i.id, i.merchant_id as "merchantId", i.supplier_id as "supplierId", i.number, i.state,
      i.written_by as "writtenBy", i.difference_fen as "differenceFen",
      to_char(${dayAt(ctx.now(), sql`m.time_zone`)}, 'YYYY-MM-DD') as day
    from supplier_invoice i join merchant m on m.id = i.merchant_id
    where i.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`i.merchant_id`)} for update of i`.execute(ctx.tx)
  const held = existing(found.rows[0])
  invoices.must(held, verb)
  return held
}

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function holdPayment(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof supplierPaymentState.moves,
): Promise<HeldPayment> {
  const found = await sql<HeldPayment>`
    select y.id, y.merchant_id as "merchantId", y.supplier_id as "supplierId", y.no, y.state,
      y.written_by as "writtenBy", y.decided_by as "decidedBy", y.amount_fen as "amountFen",
      to_char(${dayAt(ctx.now(), sql`m.time_zone`)}, 'YYYY-MM-DD') as day
    from supplier_payment y join merchant m on m.id = y.merchant_id
    where y.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`y.merchant_id`)} for update of y`.execute(ctx.tx)
  const held = existing(found.rows[0])
  payments.must(held, verb)
  return held
}

/** Of the supplier and standing, held in one order until the transaction ends. */
export async function holdPayables(
  tx: Tx,
  supplierId: number,
  ids: readonly number[],
): Promise<(Owed & { invoiceId: number | null })[]> {
  const found = await sql<Owed & { invoiceId: number | null }>`
    select p.id, p.amount_fen as "amountFen", p.claimed_fen as "claimedFen", p.invoice_id as "invoiceId",
      exists (select from supplier_invoice i
        where i.id = p.invoice_id and i.state = ${sql.lit(supplierInvoiceState.initial)}) as "invoiceWaits"
    from payable p where p.supplier_id = ${supplierId} and p.id = any(${[...ids]}::bigint[])
      and p.reversed_at is null order by p.id for update of p`.execute(tx)
  return found.rows
}

/** How often its parts count as claimed and as paid. */
type By = { claimed: -1 | 0 | 1; paid: -1 | 0 | 1 }

export async function countParts(tx: Tx, parts: readonly Part[], by: By): Promise<void> {
  const counted = parts.map(({ payableId, amountFen }) => ({
    payableId,
    claimed: by.claimed * amountFen,
    paid: by.paid * amountFen,
  }))
  await sql`update payable p set claimed_fen = p.claimed_fen + c.claimed, paid_fen = p.paid_fen + c.paid
    from ${rows('c', counted, { payableId: 'bigint', claimed: 'bigint', paid: 'bigint' })}
    where p.id = c.payable_id`.execute(tx)
}

export async function partsOf(tx: Tx, paymentId: number): Promise<Part[]> {
  const found = await sql<Part>`select l.payable_id as "payableId", l.amount_fen as "amountFen"
    from supplier_payment_line l join payable p on p.id = l.payable_id
    where l.payment_id = ${paymentId} order by p.id for update of p`.execute(tx)
  return found.rows
}

/** What one person paid today without another's word. */
export async function paidToday(ctx: CommandContext, merchantId: number): Promise<number> {
  const found = await sql<{ fen: number }>`
    select coalesce(sum(y.amount_fen), 0)::bigint as fen from supplier_payment y join merchant m on m.id = y.merchant_id
    where y.merchant_id = ${merchantId} and y.state = ${stateTo(supplierPaymentState, 'pass')}
      and y.written_by = ${ctx.actor.userId} and y.decided_by = y.written_by
      and y.decided_at >= date_trunc('day', ${ctx.now()}::timestamptz at time zone m.time_zone)
        at time zone m.time_zone`.execute(ctx.tx)
  return found.rows[0]?.fen ?? 0
}
