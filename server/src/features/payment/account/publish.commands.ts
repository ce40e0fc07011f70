import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { accountState, type publishPaymentAccount, type stopPaymentAccount } from '@aisle/contract/payment/account'
import { paymentAccountState } from '@aisle/contract/payment/states'
import { type RawBuilder, sql } from 'kysely'
import type { CommandContext, Reader, Tx } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { refuse } from '../../../kernel/refuse'
import { word } from '../../../kernel/words'
import { type AccountRow, auditAccount, load } from './account.commands'
import { findFacts } from './account.reads'
import { activatorRefusal, hindrancesOf, isPublishTime } from './account.rules'

type Changed = { id: number }

/** At once, or at an hour of the next day: until then it is locked, and may be taken back. */
export async function publish(ctx: CommandContext, input: InputOf<typeof publishPaymentAccount>): Promise<Changed> {
  const row = await loadOwn(ctx, input)
  if (!accountState.is(row.state, 'preparing')) refuse('paymentAccount.state')
  const refused = activatorRefusal({ isOwner: row.mayPublish, isPlatform: row.isPlatform }, row.fundsMode)
  if (refused) refuse(refused)
  const facts = await findFacts(ctx.tx, row.id, ctx.now())
  const hindrances = facts ? hindrancesOf(facts) : []
  if (hindrances.length > 0) {
    const what = hindrances.map((each) => word(ctx.language, 'payment', `hindrance.${each}`)).join(' · ')
    refuse('paymentAccount.incomplete', { what })
  }
  if (input.publishAt === null) {
    const replaced = await activate(ctx.tx, row.id, { now: ctx.now(), by: ctx.actor.userId })
    await auditAccount(ctx, row, { state: 'preparing' }, { state: 'activated', replaced })
    return { id: row.id }
  }
  if (!isPublishTime(new Date(input.publishAt), ctx.now())) refuse('paymentAccount.publishTime')
  await sql`update payment_account set publish_at = ${input.publishAt}, publish_fault = '',
    activated_by = ${ctx.actor.userId}, version = version + 1 where id = ${row.id}`.execute(ctx.tx)
  await auditAccount(ctx, row, { state: 'preparing' }, { state: 'scheduled', publishAt: input.publishAt })
  return { id: row.id }
}

export async function unpublish(ctx: CommandContext, input: { id: number; version: number }): Promise<Changed> {
  const row = await loadOwn(ctx, input)
  if (!accountState.is(row.state, 'scheduled')) refuse('paymentAccount.state')
  await sql`update payment_account set publish_at = null, activated_by = null, version = version + 1
    where id = ${row.id}`.execute(ctx.tx)
  await auditAccount(ctx, row, { state: 'scheduled' }, { state: 'preparing' })
  return { id: row.id }
}

/** For good. What was begun by it runs out: its numbers still open the way to its payments and refunds. */
export async function stop(ctx: CommandContext, input: InputOf<typeof stopPaymentAccount>): Promise<Changed> {
  const row = await loadOwn(ctx, input)
  if (!accountState.is(row.state, 'activated')) refuse('paymentAccount.state')
  const { reason } = input
  await markStopped(ctx.tx, sql`id = ${row.id}`, { at: ctx.now(), reason })
  await auditAccount(ctx, row, { state: 'activated' }, { state: 'stopped', reason })
  return { id: row.id }
}

/** Numbers of the provider account are collected under only by word of somebody who is in charge of them. */
async function loadOwn(ctx: CommandContext, input: { id: number; version: number }): Promise<AccountRow> {
  const row = await load(ctx, input.id)
  refuseStale(ctx, input, row, { state: row.state }, { state: '' })
  if (!row.mayPublish) refuse('paymentAccount.notYours')
  return row
}

/**
 * One account collects for a merchant's machines by a provider: its predecessor is stopped in the same breath. Two at
 * once come one after the other, since both take the merchant first. @returns the predecessor
 */
export async function activate(
  tx: Tx,
  id: number,
  { now, by }: { now: Date; by: number | null },
): Promise<number | null> {
  await sql`select 1 from merchant where id = (select merchant_id from payment_account where id = ${id})
    for no key update`.execute(tx)
  const same = sql`(merchant_id, provider, coalesce(machine_id, 0)) =
    (select merchant_id, provider, coalesce(machine_id, 0) from payment_account where id = ${id})`
  const before = await markStopped(tx, sql`state = 'activated' and ${same}`, { at: now, reason: '', replacedBy: id })
  const { from, to } = { from: paymentAccountState.from('activate'), to: paymentAccountState.to('activate') }
  const moved = await sql`update payment_account set state = ${to}, publish_at = null, publish_fault = '',
      activated_at = ${now}, activated_by = ${by}, version = version + 1
    where id = ${id} and state = any(${from})`.execute(tx)
  if (moved.numAffectedRows !== 1n) refuse('paymentAccount.state')
  return before
}

async function markStopped(
  db: Reader,
  where: RawBuilder<unknown>,
  { at, reason, replacedBy = null }: { at: Date; reason: string; replacedBy?: number | null },
): Promise<number | null> {
  const stopped = await sql<{ id: number }>`update payment_account set state = ${paymentAccountState.to('stop')},
      stopped_at = ${at}, stop_reason = ${reason}, replaced_by = ${replacedBy}, version = version + 1
    where ${where} returning id`.execute(db)
  return stopped.rows[0]?.id ?? null
}
