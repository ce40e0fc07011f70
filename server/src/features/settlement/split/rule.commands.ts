import {
  type addSplitRule,
  type endSplitRule,
  splitRuleState,
  type takeBackSplitRule,
} from '@aisle/contract/settlement/splitRule'
import { splitReceiverState, type SplitReceiverState } from '@aisle/contract/settlement/splitStates'
import { splitCap } from '@aisle/contract/system/settings'
import { merchantState } from '@aisle/contract/merchant/states'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext, QueryContext, Reader } from '../../../kernel/context'
import { grouped } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { machineInSight, sightOf } from '../../../kernel/scope'
import { settledInSight } from '../batch/batch.store'
import { settingOf } from '../../../kernel/settings'
import { stateTo } from '../../../kernel/states'
import { todayOf } from '../fee/feeRule.reads'
import { findSplitRule } from './rule.reads'
import { ratesOf, type Share } from './split.rules'
import { refuseUnseen } from './split.store'

type Id = { id: number }
type Who = { merchantId: number; groupId?: number | null | undefined; machineId?: number | null | undefined }
const audit = auditAs('splitRule')

/** From tomorrow on at the earliest: what is being sold keeps the rule that its channel was asked with. */
export async function addRule(ctx: CommandContext, input: InputOf<typeof addSplitRule>): Promise<Id> {
  const { merchantId, groupId, machineId, validFrom, validTo, reason } = input
  await refuseScope(ctx, input)
  const stopped = await sql`select 1 from merchant where id = ${merchantId}
    and state = ${stateTo(merchantState, 'stop')}`.execute(ctx.tx)
  if (stopped.rows.length > 0) refuse('splitRule.merchantStopped')
  const today = todayOf(ctx)
  if (validFrom <= today || (validTo !== null && validTo < validFrom)) refuse('splitRule.day', { day: today })
  const shares = input.lines.map(({ receiverId, ratePercent, fixedFen }) => ({
    receiverId,
    rateBps: ratePercent === null ? null : Math.round(ratePercent * 100),
    fixedFen,
  }))
  const of = await receiversOf(ctx, shares)
  if (of.some(({ state }) => !splitReceiverState.is(state, 'bound'))) refuse('splitRule.receiver')
  const capPercent = await settingOf(ctx.tx, splitCap, merchantId)
  if (isOverCap(of, capPercent)) refuse('splitRule.cap', { cap: capPercent })
  const made = await sql<Id>`insert into split_rule (merchant_id, group_id, machine_id, valid_from, valid_to, reason,
      created_at, created_by)
    values (${merchantId}, ${groupId}, ${machineId}, ${validFrom}::date, ${validTo}::date, ${reason}, ${ctx.now()},
      ${ctx.actor.userId})
    on conflict (merchant_id, group_id, machine_id, valid_from) do nothing returning id`.execute(ctx.tx)
  const [rule] = made.rows
  if (!rule) return refuse('splitRule.exists', { day: validFrom })
  await insertLines(ctx, rule.id, shares)
  const told = of.map(
    ({ name, rateBps, fixedFen }) => `${name} ${rateBps === null ? `${fixedFen} fen` : `${rateBps} bp`}`,
  )
  await audit(ctx, { id: rule.id, merchantId }, null, {
    groupId,
    machineId,
    lines: told.join(', '),
    validFrom,
    validTo,
    reason,
  })
  return rule
}

async function insertLines(ctx: CommandContext, ruleId: number, shares: readonly Share[]): Promise<void> {
  const lines = shares.map((share, at) => ({ ...share, ruleId, lineNo: at + 1 }))
  await sql`insert into split_rule_line (rule_id, line_no, receiver_id, rate_bps, fixed_fen)
    select rule_id, line_no, receiver_id, rate_bps, fixed_fen from ${rows('l', lines, {
      ruleId: 'bigint',
      lineNo: 'int',
      receiverId: 'bigint',
      rateBps: 'int',
      fixedFen: 'bigint',
    })}`.execute(ctx.tx)
}

/** A machine of the merchant or below it, or a group so. @throws Refusal for one out of sight; splitRule.scope */
export async function refuseScope(ctx: QueryContext, { merchantId, groupId, machineId }: Who): Promise<void> {
  const sight = sightOf(ctx.actor)
  await refuseUnseen(ctx, merchantId)
  const isOwn: boolean[] = []
  if (machineId) {
    const found = await sql<{ path: number[] }>`select o.path from machine m join merchant o on o.id = m.merchant_id
      where m.id = ${machineId} and ${machineInSight(sight, sql`m.id`)}`.execute(ctx.db)
    isOwn.push(existing(found.rows[0]).path.includes(merchantId))
  }
  if (groupId) {
    const found = await sql<{ path: number[] }>`select o.path from machine_group g
      join merchant o on o.id = g.merchant_id
      where g.id = ${groupId} and ${settledInSight(sight, sql`g.merchant_id`)}`.execute(ctx.db)
    isOwn.push(existing(found.rows[0]).path.includes(merchantId))
  }
  if (isOwn.length > 1 || isOwn.includes(false)) refuse('splitRule.scope')
}

export type Named = Share & { name: string; provider: 'wechat' | 'alipay'; state: SplitReceiverState; channel: string }

/** @throws Refusal splitRule.lines for one out of sight or named twice */
export async function receiversOf(ctx: QueryContext, shares: readonly Share[]): Promise<Named[]> {
  const ids = shares.map(({ receiverId }) => receiverId)
  if (new Set(ids).size !== ids.length) refuse('splitRule.lines')
  const found = await findNamed(ctx.db, ctx, ids)
  return shares.map((share) => {
    const named = found.find(({ id }) => id === share.receiverId)
    return named ? { ...share, ...named } : refuse('splitRule.lines')
  })
}

type Found = Omit<Named, keyof Share> & Id

async function findNamed(db: Reader, { actor }: QueryContext, ids: readonly number[]): Promise<Found[]> {
  const found = await sql<Found>`select v.id, v.name, v.provider, v.state,
      c.provider_account_id || '/' || c.sub_merchant_no as channel
    from split_receiver v join payment_account c on c.id = v.account_id
    where v.id = any(${[...ids]}::bigint[]) and ${settledInSight(sightOf(actor), sql`v.merchant_id`)}`.execute(db)
  return found.rows
}

/** Of one order only receivers of its channel get anything. */
export const isOverCap = (of: readonly Named[], capPercent: number): boolean =>
  [...grouped(of, ({ channel }) => channel).values()].some((shares) => ratesOf(shares) > capPercent * 100)

export async function endRule(ctx: CommandContext, { id, validTo }: InputOf<typeof endSplitRule>): Promise<Id> {
  const rule = await hold(ctx, id)
  if (!splitRuleState.is(rule.state, 'endable')) refuse('splitRule.state')
  const today = todayOf(ctx)
  if (validTo < today || validTo < rule.validFrom) refuse('splitRule.day', { day: today })
  await sql`update split_rule set valid_to = ${validTo}::date where id = ${id}`.execute(ctx.tx)
  await audit(ctx, rule, { validTo: rule.validTo }, { validTo })
  return { id }
}

export async function takeBackRule(ctx: CommandContext, { id }: InputOf<typeof takeBackSplitRule>): Promise<Id> {
  const rule = await hold(ctx, id)
  if (!splitRuleState.is(rule.state, 'coming')) refuse('splitRule.state')
  await sql`delete from split_rule where id = ${id}`.execute(ctx.tx)
  const { validFrom, validTo, reason, lines } = rule
  await audit(ctx, rule, { validFrom, validTo, reason, lines: lines.map(({ name }) => name).join(', ') }, null)
  return { id }
}

/** Locked before it is read, so that whoever comes second decides about what the first has left. */
async function hold(ctx: CommandContext, id: number) {
  await sql`select 1 from split_rule where id = ${id} for update`.execute(ctx.tx)
  return existing(await findSplitRule({ ...ctx, db: ctx.tx }, id))
}
