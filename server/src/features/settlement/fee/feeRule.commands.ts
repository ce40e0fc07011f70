import { type addFeeRule, type endFeeRule, feeState, type FeeSubject } from '@aisle/contract/settlement/fee'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { isPlatformsOwn, refuseUnseenMerchant, sightOf } from '../../../kernel/scope'
import { findFeeRule, todayOf } from './feeRule.reads'

type Id = { id: number }

/**
 * Fees are what the platform takes: nobody of a merchant agrees them for itself or for those below it, whatever its
 * role holds. @throws Refusal request.notPermitted
 */
export async function ofPlatform(ctx: QueryContext): Promise<void> {
  if (!(await isPlatformsOwn(ctx.db, ctx.actor))) refuse('request.notPermitted')
}

export async function refuseUnseen(ctx: QueryContext, merchantId: number | null | undefined): Promise<void> {
  if (merchantId) await refuseUnseenMerchant(ctx.db, sightOf(ctx.actor), merchantId)
}

/** As the database names it: a word of the wire holds no colon. */
export const keptAs = (subject: FeeSubject): string => subject.replace(/^function_/, 'function:')

/** From tomorrow on at the earliest: what is being sold is settled by the rule that its day began with. */
export async function add(ctx: CommandContext, input: InputOf<typeof addFeeRule>): Promise<Id> {
  await ofPlatform(ctx)
  await refuseUnseen(ctx, input.merchantId)
  const { merchantId, subject, basis, minFen, belowMin, validFrom, validTo, reason } = input
  const today = todayOf(ctx)
  if (validFrom <= today || (validTo !== null && validTo < validFrom)) refuse('feeRule.day', { day: today })
  const ratePpm = Math.round(input.ratePercent * 10_000)
  const made = await sql<Id>`insert into fee_rule
      (merchant_id, subject, rate_ppm, basis, min_fen, below_min, valid_from, valid_to, reason, created_at, created_by)
    values (${merchantId}, ${keptAs(subject)}, ${ratePpm}, ${basis}, ${minFen}, ${belowMin}, ${validFrom}::date,
      ${validTo}::date, ${reason}, ${ctx.now()}, ${ctx.actor.userId})
    on conflict (merchant_id, subject, valid_from) do nothing returning id`.execute(ctx.tx)
  const [rule] = made.rows
  if (!rule) return refuse('feeRule.exists', { day: validFrom })
  const after = { subject, ratePpm, basis, minFen, belowMin, validFrom, validTo, reason }
  await audit(ctx, { id: rule.id, merchantId }, null, after)
  return rule
}

/** Today at the earliest, for the same reason. */
export async function end(ctx: CommandContext, { id, validTo }: InputOf<typeof endFeeRule>): Promise<Id> {
  const rule = await hold(ctx, id)
  if (rule.merchantId === null) refuse('feeRule.forAll')
  if (!feeState.is(rule.state, 'endable')) refuse('feeRule.state')
  const today = todayOf(ctx)
  if (validTo < today || validTo < rule.validFrom) refuse('feeRule.day', { day: today })
  await sql`update fee_rule set valid_to = ${validTo}::date where id = ${id}`.execute(ctx.tx)
  await audit(ctx, rule, { validTo: rule.validTo }, { validTo })
  return { id }
}

export async function takeBack(ctx: CommandContext, { id }: Id): Promise<Id> {
  const rule = await hold(ctx, id)
  if (!feeState.is(rule.state, 'coming')) refuse('feeRule.state')
  await sql`delete from fee_rule where id = ${id}`.execute(ctx.tx)
  const { subject, ratePercent, basis, minFen, belowMin, validFrom, validTo } = rule
  await audit(ctx, rule, { subject, ratePercent, basis, minFen, belowMin, validFrom, validTo }, null)
  return { id }
}

/**
 * Locked before it is read, so that whoever comes second decides about what the first has left. To who may not change
 * a rule there is none to change, seen or not.
 */
async function hold(ctx: CommandContext, id: number) {
  if (!(await isPlatformsOwn(ctx.tx, ctx.actor))) refuse('request.notFound')
  await sql`select 1 from fee_rule where id = ${id} for update`.execute(ctx.tx)
  return existing(await findFeeRule({ ...ctx, db: ctx.tx }, id))
}

const audit = auditAs('feeRule')
