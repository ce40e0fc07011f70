import type { addSplitReceiver, bindSplitReceiver, unbindSplitReceiver } from '@aisle/contract/settlement/splitReceiver'
import {
  accountTypesOf,
  splitLineState,
  type SplitProvider,
  splitProviders,
  splitReceiverState,
  type SplitReceiverState,
  splitState,
} from '@aisle/contract/settlement/splitStates'
import { merchantState } from '@aisle/contract/merchant/states'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext, Tx } from '../../../kernel/context'
import { addJob } from '../../../kernel/jobs'
import { only } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { settledInSight } from '../batch/batch.store'
import { statesFrom, stateTo } from '../../../kernel/states'
import { isSharing } from '../../payment/public'
import { SEND_SPLITS } from './split.make'
import { losesReceiver, NOT_BOUND } from './split.rules'
import { receivers, refuseUnseen } from './split.store'

const audit = auditAs('splitReceiver')

type Account = { id: number; merchantId: number; provider: string; isSharing: boolean }

/** Named and told to the channel at once, by the worker: nothing is sent to who is not known there. */
export async function addReceiver(ctx: CommandContext, input: InputOf<typeof addSplitReceiver>) {
  const { kind, receiverName: name, accountType, account, consents } = input
  const through = await accountInSight(ctx, input.accountId)
  const { ofMerchantId, ofUserId } = await whose(ctx, input)
  const provider = splitProviders.find((each) => each === through.provider)
  if (!provider || !through.isSharing || !accountTypesOf[provider].includes(accountType))
    refuse('splitReceiver.channel')
  if (consents && accountType !== 'merchant_no') refuse('splitReceiver.consent')
  const made = await sql<{ id: number }>`insert into split_receiver (merchant_id, account_id, provider, kind,
      of_merchant_id, of_user_id, name, account_type, account, consents, state, next_at, created_at, created_by)
    values (${through.merchantId}, ${through.id}, ${provider as SplitProvider}, ${kind}, ${ofMerchantId}, ${ofUserId},
      ${name}, ${accountType}, ${account}, ${consents}, ${splitReceiverState.to('bind')}, ${ctx.now()}, ${ctx.now()},
      ${ctx.actor.userId})
    on conflict (account_id, account) do nothing returning id`.execute(ctx.tx)
  const [row] = made.rows
  if (!row) return refuse('splitReceiver.exists')
  const after = { kind, name, accountType, account, consents }
  await audit(ctx, { id: row.id, merchantId: through.merchantId }, null, after)
  await addJob(ctx.tx, SEND_SPLITS)
  return { id: row.id, state: splitReceiverState.to('bind') }
}

async function accountInSight({ tx, actor }: CommandContext, id: number): Promise<Account> {
  const found = await sql<Account>`select c.id, c.merchant_id as "merchantId", c.provider,
      ${isSharing} as "isSharing" from payment_account c
    where c.id = ${id} and ${settledInSight(sightOf(actor), sql`c.merchant_id`)}`.execute(tx)
  return existing(found.rows[0])
}

type Whose = { ofMerchantId: number | null; ofUserId: number | null }

/** One of ours is named by what it is here, anybody else by a name alone. */
async function whose(
  ctx: CommandContext,
  { kind, ofMerchantId, ofUserId }: InputOf<typeof addSplitReceiver>,
): Promise<Whose> {
  if (ofMerchantId) await refuseUnseen(ctx, ofMerchantId)
  if (ofUserId) {
    const seen = await sql`select 1 from app_user u where u.id = ${ofUserId}
      and ${settledInSight(sightOf(ctx.actor), sql`u.merchant_id`)}`.execute(ctx.tx)
    existing(seen.rows[0])
  }
  const named = { merchant: ofMerchantId !== null, user: ofUserId !== null, outside: true }
  if (!named[kind]) refuse('splitReceiver.whose')
  if (kind === 'merchant' && ofMerchantId) await refuseStopped(ctx.tx, ofMerchantId)
  return { ofMerchantId: kind === 'merchant' ? ofMerchantId : null, ofUserId: kind === 'user' ? ofUserId : null }
}

async function refuseStopped(tx: Tx, merchantId: number): Promise<void> {
  const stopped = await sql`select 1 from merchant where id = ${merchantId}
    and state = ${stateTo(merchantState, 'stop')}`.execute(tx)
  if (stopped.rows.length > 0) refuse('splitReceiver.merchantStopped')
}

type Held = { id: number; merchantId: number; ofMerchantId: number | null; state: SplitReceiverState }

async function hold({ tx, actor }: CommandContext, id: number): Promise<Held> {
  const found = await sql<Held>`select id, merchant_id as "merchantId", of_merchant_id as "ofMerchantId", state
    from split_receiver where id = ${id} and ${settledInSight(sightOf(actor), sql`merchant_id`)}
    for update`.execute(tx)
  return existing(found.rows[0])
}

export const bind = (ctx: CommandContext, { id }: InputOf<typeof bindSplitReceiver>) => tell(ctx, id, 'bind')
export const unbind = (ctx: CommandContext, { id }: InputOf<typeof unbindSplitReceiver>) => tell(ctx, id, 'unbind')

async function tell(ctx: CommandContext, id: number, verb: 'bind' | 'unbind') {
  const held = await hold(ctx, id)
  receivers.must(held, verb)
  if (verb === 'bind' && held.ofMerchantId) await refuseStopped(ctx.tx, held.ofMerchantId)
  const state = await receivers.move(ctx.tx, held, verb, { nextAt: ctx.now(), asks: 0, detail: null })
  await audit(ctx, held, { state: held.state }, { state })
  await addJob(ctx.tx, SEND_SPLITS)
  return { id, state }
}

/** The channel says that it knows the account or the relation no more. */
export async function loseReceiver(tx: Tx, id: number, code: string | null): Promise<void> {
  await receivers.moveAll(tx, sql`id = ${id}`, 'lose', { detail: code?.slice(0, 120) ?? null })
}

/** Bound again: what failed since it was not, goes out by itself. */
export async function sendWaiting(tx: Tx, receiverId: number, now: Date): Promise<void> {
  const failed = await sql<{ id: number; splitId: number; code: string | null }>`select l.id, l.split_id as "splitId",
      l.code from split_line l where l.receiver_id = ${receiverId}
      and l.state in ${statesFrom(splitLineState, 'again')} order by l.split_id for update`.execute(tx)
  const waiting = failed.rows.filter(({ code }) => code === NOT_BOUND || losesReceiver(code))
  if (waiting.length === 0) return
  const ids = waiting.map(({ id }) => id)
  await sql`update split_line set state = ${stateTo(splitLineState, 'again')}, version = version + 1
    where id = any(${ids}::bigint[])`.execute(tx)
  const splitIds = [...new Set(waiting.map(({ splitId }) => splitId))]
  await sql`update split set state = ${stateTo(splitState, 'again')}, next_at = ${now}, version = version + 1
    where id = any(${splitIds}::bigint[]) and state in ${statesFrom(splitState, 'again')}`.execute(tx)
  await addJob(tx, SEND_SPLITS)
}

export async function announceReceiver(tx: Tx, id: number): Promise<void> {
  const { merchantId } = only(
    await sql<{ merchantId: number }>`select merchant_id as "merchantId" from split_receiver
      where id = ${id}`.execute(tx),
  )
  await announce(tx, { topic: 'changes', kinds: ['splitReceiver'], merchantIds: [merchantId], above: [] })
}
