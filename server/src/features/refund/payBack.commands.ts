import type { dropPayBack, payBackRefund } from '@aisle/contract/refund/verbs'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { withBooks } from '../trade/public'
import { bookRefunded } from './answer.commands'
import { changed, hold, record, refusePayBackAsked, refuseUnderWay } from './hold'
import { moveRefund } from './refund.store'

/** One person writes how it was paid back, with proof; the refund stays where it is until another agrees. */
export async function payBack(ctx: CommandContext, input: InputOf<typeof payBackRefund>) {
  const { id, way, note, proof } = input
  const { refund } = await hold(ctx, id, 'payBack')
  refusePayBackAsked(refund)
  await refuseUnderWay(ctx, refund)
  if (proof.length === 0) refuse('refund.noProof')
  await sql`update refund set pay_back_way = ${way}, pay_back_note = ${note}, pay_back_proof = ${proof}::text[],
    pay_back_by = ${ctx.actor.userId}, pay_back_at = ${ctx.now()}, version = version + 1
    where id = ${id}`.execute(ctx.tx)
  const after = { way, note, proof, amountFen: refund.amountFen }
  await record(ctx, refund, { verb: 'payBack', note: `${way}: ${note}`, before: null, after })
  return changed(refund)
}

export async function agree(ctx: CommandContext, { id }: { id: number }) {
  const now = ctx.now()
  const { refund, order } = await hold(ctx, id, 'payBack')
  if (refund.payBackWay === null) refuse('refund.payBackMissing')
  if (refund.payBackById === ctx.actor.userId) refuse('refund.payBackOwn')
  const before = { state: refund.state }
  await sql`update refund set pay_back_agreed_by = ${ctx.actor.userId} where id = ${id}`.execute(ctx.tx)
  await moveRefund(ctx.tx, refund, 'payBack', { endedAt: now }, now)
  await record(ctx, refund, { verb: 'agreePayBack', before, after: { state: refund.state, way: refund.payBackWay } })
  await withBooks(ctx.tx, now, (books) => bookRefunded(ctx.tx, books, { orders: [order], refunded: [refund], now }))
  return changed(refund)
}

export async function drop(ctx: CommandContext, { id, reason }: InputOf<typeof dropPayBack>) {
  const { refund } = await hold(ctx, id, 'payBack')
  if (refund.payBackWay === null) refuse('refund.payBackMissing')
  await sql`update refund set pay_back_way = null, pay_back_note = null, pay_back_proof = '{}', pay_back_by = null,
    pay_back_at = null, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await record(ctx, refund, { verb: 'dropPayBack', note: reason, before: { way: refund.payBackWay }, after: null })
  return changed(refund)
}
