import type { applyWithdrawal, rejectWithdrawal } from '@aisle/contract/funds/withdrawal'
import { withdrawalState } from '@aisle/contract/funds/states'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { withdrawalSecondPerson } from '@aisle/contract/system/settings'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { must } from '../../kernel/must'
import { midnight } from '../../kernel/platformDays'
import { refuse } from '../../kernel/refuse'
import { refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { asking, varsOf } from './funds.reads'
import { backPostings, decideRefusal, holdPostings, isFirstOfTwo } from './withdrawal.rules'
import { append, hold, insert, lock, lockAvailable, post, type Row, withdrawals } from './withdrawal.store'

export const PAY = 'funds.payWithdrawals'
const audit = auditAs('withdrawal')
type Id = { id: number }

/** What is asked for is held at once: of many at the same moment each sees what the others left. */
export async function apply(ctx: CommandContext, { merchantId, amountFen }: InputOf<typeof applyWithdrawal>) {
  const now = ctx.now()
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  await lockAvailable(ctx.tx, merchantId)
  const asked = await asking(ctx.tx, merchantId, amountFen, now)
  if (asked.code) refuse(asked.code, varsOf(asked, ctx.language))
  const payer = must(asked.payer, 'a payer')
  const limitFen = await settingOf(ctx.tx, withdrawalSecondPerson, merchantId)
  const { feeFen, dueOn } = asked
  const made = { merchantId, mode: payer.mode, payoutAccountId: payer.id, amountFen, feeFen, limitFen, dueOn }
  const { id, no } = await insert(ctx, { ...made, bankAccountId: must(asked.account, 'a bank account').id })
  const row = await lock(ctx.tx, id)
  await post(ctx.tx, row, 'hold', holdPostings(row), now)
  await append(ctx.tx, id, { verb: 'apply', userId: ctx.actor.userId }, now)
  await audit(ctx, { id, merchantId }, null, { no, amountFen, feeFen, dueOn, state: row.state })
  return { id, state: row.state }
}

/** The second of two lets it go, or the only one where one is enough. */
export async function approve(ctx: CommandContext, { id }: Id) {
  const row = await hold(ctx, id, 'approve')
  refuseDeciding(ctx, row)
  const { userId } = ctx.actor
  if (isFirstOfTwo(row)) return moveOn(ctx, row, 'check', { checkedBy: userId })
  return moveOn(ctx, row, 'approve', { approvedBy: userId, nextAt: midnight(row.dueOn) })
}

export async function reject(ctx: CommandContext, { id, reason }: InputOf<typeof rejectWithdrawal>) {
  const row = await hold(ctx, id, 'reject')
  refuseDeciding(ctx, { ...row, checkedBy: null })
  return backWith(ctx, row, 'reject', reason)
}

/** Of one's own merchant; who holds the money rejects. */
export async function cancel(ctx: CommandContext, { id }: Id) {
  const row = await hold(ctx, id, 'cancel')
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), row.merchantId)
  return backWith(ctx, row, 'cancel', null)
}

function refuseDeciding(ctx: CommandContext, row: Row): void {
  const why = decideRefusal(row, ctx.actor.userId)
  if (why) refuse(`withdrawal.${why}`)
}

async function backWith(ctx: CommandContext, row: Row, verb: 'reject' | 'cancel', reason: string | null) {
  await post(ctx.tx, row, 'back', backPostings(row), ctx.now())
  return moveOn(ctx, row, verb, { reason, endedAt: ctx.now(), nextAt: null }, reason)
}

type Change = Parameters<typeof withdrawals.move>[3]

async function moveOn(
  ctx: CommandContext,
  row: Row,
  verb: keyof typeof withdrawalState.moves,
  change: Change,
  note: string | null = null,
) {
  const state = await withdrawals.move(ctx.tx, row, verb, change)
  await append(ctx.tx, row.id, { verb, userId: ctx.actor.userId, note }, ctx.now())
  await audit(ctx, row, { state: row.state }, note === null ? { state } : { state, reason: note })
  return { id: row.id, state }
}

export async function queryNow(ctx: CommandContext, { id }: Id) {
  const row = await hold(ctx, id, null)
  if (!row.isHolder) refuse('withdrawal.notHolder')
  if (!withdrawalState.is(row.state, 'underWay')) refuse('withdrawal.state')
  await ctx.tx.updateTable('withdrawal').set({ nextAt: ctx.now() }).where('id', '=', id).execute()
  await addJob(ctx.tx, PAY)
  await append(ctx.tx, id, { verb: 'query', userId: ctx.actor.userId }, ctx.now())
  await audit(ctx, row, null, { no: row.no })
  return { id, state: row.state }
}
