import type { explainBankLine } from '@aisle/contract/funds/bankLine'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { findLine } from './bankLine.store'

/** Why a difference is one, said once; whoever let the money go does not explain what became of it. */
export async function explain(ctx: CommandContext, { id, reason }: InputOf<typeof explainBankLine>) {
  const { userId, merchantId } = ctx.actor
  const { isOpen, people, outcome, reference, withdrawalMerchantId } = await findLine(ctx.tx, sightOf(ctx.actor), id)
  if (!isOpen) refuse('bankLine.explained')
  if (people.includes(userId)) refuse('withdrawal.samePerson')
  const said = await sql`insert into bank_difference (id, reason, explained_by, explained_at)
    values (${id}, ${reason}, ${userId}, ${ctx.now()}) on conflict do nothing returning id`.execute(ctx.tx)
  if (said.rows.length === 0) refuse('bankLine.explained')
  const entry = { outcome, reference, reason }
  await auditAs('bankLine')(ctx, { id, merchantId: withdrawalMerchantId ?? merchantId }, null, entry)
  return { id }
}
