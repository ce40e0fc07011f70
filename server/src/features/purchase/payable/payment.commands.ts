import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { paySupplier, refuseSupplierPayment, takeBackSupplierPayment } from '@aisle/contract/purchase/payable'
import { supplierPaymentSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { refusedBy } from '../../../kernel/constraint'
import { only } from '../../../kernel/must'
import { refusal, refuse } from '../../../kernel/refuse'
import { settingOf } from '../../../kernel/settings'
import { postTransfers } from '../../ledger/public'
import { nextNo } from '../../stock/public'
import { needsSecond } from '../order/order.rules'
import { holdSupplier } from '../order/order.store'
import { faultOfParts, paymentPostings, totalOf } from './payable.rules'
import { countParts, type HeldPayment, holdPayables, holdPayment, paidToday, partsOf, payments } from './payable.store'

const audit = auditAs('supplierPayment')

export async function pay(ctx: CommandContext, input: InputOf<typeof paySupplier>) {
  const { supplierId, parts, paidOn, bankReference, note } = input
  const { merchantId, name, day } = await holdSupplier(ctx, supplierId)
  if (paidOn > day) refuse('supplierPayment.day')
  const ids = parts.map(({ payableId }) => payableId)
  const fault = faultOfParts(parts, await holdPayables(ctx.tx, supplierId, ids))
  if (fault) refuse(fault, { name })
  const amountFen = totalOf(parts)
  const limitFen = await settingOf(ctx.tx, supplierPaymentSecondPerson, merchantId)
  const no = await nextNo(ctx.tx, merchantId, 'FK', ctx.now())
  // The counter is held: of two at once the second sees what the first has paid.
  const passedTodayFen = await paidToday(ctx, merchantId)
  const { userId, displayName } = ctx.actor
  const made = await refusedBy(
    'supplier_payment_reference',
    sql<{ id: number }>`insert into supplier_payment (merchant_id, no, supplier_id, amount_fen, paid_on, bank_reference,
        note, written_by, writer, written_at)
      values (${merchantId}, ${no}, ${supplierId}, ${amountFen}, ${paidOn}::date, ${bankReference}, ${note}, ${userId},
        ${displayName}, ${ctx.now()}) returning id`.execute(ctx.tx),
    () => refusal('supplierPayment.referenceTaken', { reference: bankReference }),
  )
  const { id } = only(made)
  await sql`insert into supplier_payment_line (payment_id, payable_id, amount_fen)
    select ${id}, p.payable_id, p.amount_fen
    from ${rows('p', parts, { payableId: 'bigint', amountFen: 'bigint' })}`.execute(ctx.tx)
  await countParts(ctx.tx, parts, { claimed: 1, paid: 0 })
  await audit(ctx, { id, merchantId }, null, { no, supplier: name, amountFen, paidOn, bankReference, parts })
  const about = { id, merchantId, supplierId, no, amountFen, writtenBy: userId, decidedBy: null, day }
  const payment: HeldPayment = { ...about, state: 'waiting' }
  if (needsSecond({ totalFen: amountFen, passedTodayFen, limitFen })) return { id, state: payment.state }
  return { id, state: await settle(ctx, payment, 'pass') }
}

const byOf = (ctx: CommandContext) => ({
  decidedBy: ctx.actor.userId,
  decider: ctx.actor.displayName,
  decidedAt: ctx.now(),
})

/** It counts as paid from now on. */
async function settle(ctx: CommandContext, payment: HeldPayment, verb: 'pass' | 'approve') {
  const parts = await partsOf(ctx.tx, payment.id)
  await countParts(ctx.tx, parts, { claimed: 0, paid: 1 })
  await post(ctx, payment, 1)
  return payments.move(ctx.tx, payment, verb, byOf(ctx))
}

async function post(ctx: CommandContext, { id, merchantId, supplierId, amountFen, day }: HeldPayment, sign: 1 | -1) {
  const postings = paymentPostings({ merchantId, supplierId, amountFen: sign * amountFen })
  const which =
    sign === 1
      ? { kind: 'supplier_payment' as const, reference: String(id) }
      : { kind: 'reversal' as const, reference: `supplier_payment/${id}` }
  await postTransfers(ctx.tx, [{ ...which, merchantId, postedAt: ctx.now(), businessDay: day, postings }])
}

export async function approvePayment(ctx: CommandContext, { id }: { id: number }) {
  const payment = await holdPayment(ctx, id, 'approve')
  if (payment.writtenBy === ctx.actor.userId) refuse('supplierPayment.ownRequest')
  const state = await settle(ctx, payment, 'approve')
  await audit(ctx, payment, { state: payment.state }, { state })
  return { id, state }
}

export async function refusePayment(ctx: CommandContext, { id, reason }: InputOf<typeof refuseSupplierPayment>) {
  const payment = await holdPayment(ctx, id, 'refuse')
  await countParts(ctx.tx, await partsOf(ctx.tx, id), { claimed: -1, paid: 0 })
  const state = await payments.move(ctx.tx, payment, 'refuse', { ...byOf(ctx), endReason: reason })
  await audit(ctx, payment, { state: payment.state }, { state, reason })
  return { id, state }
}

/** By another person than who let it count as paid. */
export async function takeBackPayment(ctx: CommandContext, { id, reason }: InputOf<typeof takeBackSupplierPayment>) {
  const payment = await holdPayment(ctx, id, 'takeBack')
  if (payment.decidedBy === ctx.actor.userId) refuse('supplierPayment.ownRequest')
  await countParts(ctx.tx, await partsOf(ctx.tx, id), { claimed: -1, paid: -1 })
  await post(ctx, payment, -1)
  const state = await payments.move(ctx.tx, payment, 'takeBack', { endReason: reason })
  await audit(ctx, payment, { state: payment.state }, { state, reason })
  return { id, state }
}
