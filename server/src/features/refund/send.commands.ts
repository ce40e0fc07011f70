import { refundState } from '@aisle/contract/refund/states'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Services, Tx } from '../../kernel/context'
import { creditCard, findCharges } from '../member/public'
import { channelOf, type RefundAnswer, type RefundAsk } from '../payment/public'
import { type Books, withBooks } from '../trade/public'
import { bookRefunded, takeRefundAnswers } from './answer.commands'
import { announceChanged } from './due.commands'
import { lockOrders } from './order.store'
import { BETWEEN_REFUNDS_MS } from './refund.rules'
import { lockRefunds, moveRefund, appendEvents } from './refund.store'
import type { RefundRow } from './refund.types'
import { settleOrders } from './settle'
import { statesIn } from '../../kernel/states'

/** Longer than a channel is waited for: who takes a refund and dies leaves it to the next after that. */
const LEASE_MS = 2 * 60_000
const AT_ONCE = 8

type Claimed = {
  id: number
  refundNo: string
  orderId: number
  method: string
  attemptId: number | null
  amountFen: number
  reason: string
  requestedAt: Date
  channelRefundNo: string | null
  /** Asks what became of it; else asks to pay. */
  isQuery: boolean
}

/**
 * Asks channels to pay what was decided, and what became of what they were asked before. The intent is committed before
 * the call and the answer after it: whatever breaks between leaves a refund that is asked about next, never one that is
 * paid under another number.
 */
export async function sendRefunds(services: Services): Promise<void> {
  for (;;) {
    const claimed = await claim(services)
    if (claimed.length === 0) return
    await Promise.all(claimed.map((one) => work(services, one)))
  }
}

async function claim({ db, clock }: Services): Promise<Claimed[]> {
  const now = clock.now()
  const before = new Date(now.getTime() - BETWEEN_REFUNDS_MS)
  return db.transaction().execute(async (tx) => {
    const found = await sql<Claimed>`
      select r.id, r.refund_no as "refundNo", r.order_id as "orderId", r.method, r.attempt_id as "attemptId",
        r.amount_fen as "amountFen", r.reason, r.requested_at as "requestedAt",
        r.channel_refund_no as "channelRefundNo", r.sent_at is not null as "isQuery"
      from refund r where r.state in ${statesIn(refundState, 'underWay')} and r.next_at <= ${now}
        and (r.sent_at is not null
        or not exists (select 1 from refund o where o.order_id = r.order_id and o.id <> r.id and o.sent_at > ${before}
          and o.attempt_id is not null))
      order by r.next_at, r.id limit ${sql.lit(AT_ONCE)} for update skip locked`.execute(tx)
    // Of an order that gets two back at once the second waits its minute.
    const claimed = found.rows.filter(
      (one, at) => one.isQuery || found.rows.findIndex(({ orderId }) => orderId === one.orderId) === at,
    )
    await sql`update refund r set next_at = ${new Date(now.getTime() + LEASE_MS)},
        tries = r.tries + case when c.is_query then 0 else 1 end,
        sent_at = case when c.is_query then r.sent_at else ${now} end, version = r.version + 1
      from ${rows('c', claimed, { id: 'bigint', isQuery: 'boolean' })} where r.id = c.id`.execute(tx)
    await appendEvents(
      tx,
      claimed.filter(({ isQuery }) => !isQuery).map(({ id }) => ({ refundId: id, verb: 'send' })),
      now,
    )
    return claimed
  })
}

async function work(services: Services, one: Claimed): Promise<void> {
  if (one.method === 'member_card') return credit(services, one)
  const answer = await ask(services, one)
  await takeRefundAnswers(services, [{ refundNo: one.refundNo, ...answer }])
}

/** A card is ours: its money is back with the transaction. */
async function credit({ db, clock }: Services, one: Claimed): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => withBooks(tx, now, (books) => creditOne(tx, books, one, now)))
}

async function creditOne(tx: Tx, books: Books, one: Claimed, now: Date): Promise<void> {
  const orders = await lockOrders(tx, [one.orderId])
  const [refund] = await lockRefunds(tx, sql`r.id = ${one.id}`)
  if (!refund || !refundState.is(refund.state, 'underWay')) return
  if (!(await findCharges(tx, [one.orderId])).has(one.orderId)) return handCard(tx, refund, now)
  await moveRefund(tx, refund, 'confirm', { endedAt: now }, now)
  await creditCard(tx, { orderId: one.orderId, refundId: one.id, amountFen: one.amountFen, at: now })
  await appendEvents(tx, [{ refundId: one.id, verb: 'confirm' }], now)
  await bookRefunded(tx, books, { orders, refunded: [refund], now })
  await announceChanged(
    tx,
    orders.map(({ merchantId }) => merchantId),
  )
}

/** Paid by a card of which nothing is kept here: a person finds out whose it was. */
async function handCard(tx: Tx, refund: RefundRow, now: Date): Promise<void> {
  await moveRefund(tx, refund, 'hand', { detail: 'noCard' }, now)
  await appendEvents(tx, [{ refundId: refund.id, verb: 'needs_handling', note: 'noCard' }], now)
  await settleOrders(tx, [refund.orderId], now)
}

type PaidAttempt = RefundAsk['attempt'] & { accountId: number }

async function ask(services: Services, one: Claimed): Promise<RefundAnswer> {
  const attempt = await findAttempt(services, one.attemptId)
  if (!attempt) return { outcome: 'failed', channelRefundNo: null, code: 'noAttempt' }
  // Keys that do not open are no reason to lose the refund: it is asked about again, and a person reads why.
  const channel = await channelOf(services, attempt.accountId).catch(() => null)
  if (!channel) return { outcome: 'unknown', channelRefundNo: null, code: 'noChannel' }
  const { refundNo, amountFen, requestedAt: askedAt, channelRefundNo } = one
  const reason = one.reason || one.refundNo
  const asked: RefundAsk = { refundNo, attempt, amountFen, reason, askedAt, channelRefundNo }
  return one.isQuery ? channel.queryRefund(asked) : channel.refund(asked)
}

async function findAttempt({ db }: Services, id: number | null): Promise<PaidAttempt | undefined> {
  const found = await sql<PaidAttempt>`
    select a.attempt_no as "attemptNo", a.paid_fen as "amountFen", c.payment_title as title,
      coalesce(a.asked_at, a.created_at) as "askedAt", a.expires_at as "expiresAt", a.channel_no as "channelNo",
      a.paid_at as "paidAt", a.account_id as "accountId"
    from payment_attempt a join payment_account c on c.id = a.account_id
    where a.id = ${id} and a.paid_fen is not null`.execute(db)
  return found.rows[0]
}
