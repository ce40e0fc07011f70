import { unclaimedState } from '@aisle/contract/refund/unclaimed'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Services } from '../../kernel/context'
import { caseRefundNo, channelOf, channelOfProvider, type RefundAnswer } from '../payment/public'
import { announceChanged } from './due.commands'
import { askAgainMs, SENDS } from './refund.rules'
import { lockUnclaimed, type Unclaimed } from './unclaimed.store'
import { stateTo } from '../../kernel/states'

/** Longer than a channel is waited for: who takes one and dies leaves it to the next after that. */
const LEASE_MS = 2 * 60_000

type Claimed = Pick<
  Unclaimed,
  'id' | 'providerAccountId' | 'channelNo' | 'attemptNo' | 'amountFen' | 'paidAt' | 'reason'
> & {
  /** Of the attempt that has this number: its merchant's number at the provider is needed, too. */
  accountId: number | null
  sentAt: Date | null
  decidedAt: Date
  channelRefundNo: string | null
}

/** Like refunds of orders: the intent is committed before the call, the answer after it, and silence is asked about. */
export async function sendUnclaimed(services: Services): Promise<void> {
  for (const one of await claim(services)) {
    await takeUnclaimedAnswer(services, one, await ask(services, one))
  }
}

async function claim({ db, clock }: Services): Promise<Claimed[]> {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const found = await sql<Claimed>`
      select u.id, u.provider_account_id as "providerAccountId", u.channel_no as "channelNo",
        u.attempt_no as "attemptNo", u.amount_fen as "amountFen", u.paid_at as "paidAt", u.reason,
        u.sent_at as "sentAt", coalesce(u.decided_at, u.noted_at) as "decidedAt",
        u.channel_refund_no as "channelRefundNo",
        (select a.account_id from payment_attempt a join payment_account c on c.id = a.account_id
          where a.attempt_no = u.attempt_no and c.provider_account_id = u.provider_account_id) as "accountId"
      from unclaimed_payment u where u.state = 'refunding' and u.next_at <= ${now}
      order by u.next_at, u.id limit 20 for update skip locked`.execute(tx)
    const keys = found.rows.map(({ id }) => ({ id }))
    await sql`update unclaimed_payment u set next_at = ${new Date(now.getTime() + LEASE_MS)},
        tries = tries + case when sent_at is null then 1 else 0 end, sent_at = coalesce(sent_at, ${now})
      from ${rows('c', keys, { id: 'bigint' })} where u.id = c.id`.execute(tx)
    return found.rows
  })
}

async function ask(services: Services, one: Claimed): Promise<RefundAnswer> {
  const { id, accountId, providerAccountId, attemptNo, channelNo, amountFen, paidAt, reason } = one
  const opened = accountId === null ? channelOfProvider(services, providerAccountId) : channelOf(services, accountId)
  const channel = await opened.catch(() => null)
  if (!channel) return { outcome: 'unknown', channelRefundNo: null, code: 'noChannel' }
  const attempt = { attemptNo, channelNo, amountFen, title: '', askedAt: paidAt, expiresAt: paidAt, paidAt }
  const { decidedAt: askedAt, channelRefundNo } = one
  const asked = { refundNo: caseRefundNo('UP', id), attempt, amountFen, reason, askedAt, channelRefundNo }
  return one.sentAt === null ? channel.refund(asked) : channel.queryRefund(asked)
}

export async function takeUnclaimedAnswer(
  { db, clock }: Services,
  { id }: Pick<Claimed, 'id'>,
  answer: RefundAnswer,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const held = await lockUnclaimed(tx, sql`u.id = ${id}`)
    if (!held || !unclaimedState.is(held.state, 'refunding')) return
    const { outcome, channelRefundNo, code } = answer
    const isFailed = outcome === 'failed' || outcome === 'needs_handling'
    // Nothing moved and nothing was accepted: its own number may be asked for again, and pays once.
    const isSentAgain = outcome === 'failed' && held.tries < SENDS
    const verb = outcome === 'refunded' ? 'confirm' : isFailed && !isSentAgain ? 'fail' : null
    await sql`update unclaimed_payment set state = ${verb ? stateTo(unclaimedState, verb) : sql`state`},
        ended_at = ${verb === 'confirm' ? now : null}, detail = ${(code ?? outcome).slice(0, 120)},
        channel_refund_no = coalesce(${channelRefundNo}, channel_refund_no), asks = asks + 1,
        sent_at = case when ${isSentAgain} then null else sent_at end,
        next_at = ${new Date(now.getTime() + askAgainMs(held.asks))}, version = version + 1
      where id = ${id}`.execute(tx)
    await announceChanged(tx, [held.merchantId])
  })
}
