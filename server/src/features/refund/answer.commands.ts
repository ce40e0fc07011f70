import { sql } from 'kysely'
import { businessTime } from '../../kernel/businessDay'
import type { Services, Tx } from '../../kernel/context'
import { postTransfers, refundPostings } from '../ledger/public'
import { giveBackVouchers } from '../promotion/public'
import { type Books, withBooks } from '../trade/public'
import { refundState } from '@aisle/contract/refund/states'
import { paymentState } from '@aisle/contract/trade/states'
import { announceChanged } from './due.commands'
import { lockOrders } from './order.store'
import { askAgainMs, SENDS } from './refund.rules'
import { type Change, findRefunds, lockRefunds, moveRefund, noteRefund, appendEvents } from './refund.store'
import type { RefundOrder, RefundRow } from './refund.types'
import { settleOrders } from './settle'

/** What a channel said of a refund, by its answer or by a notification whose signature was right. */
export type RefundAnswered = {
  refundNo: string
  outcome: 'accepted' | 'refunded' | 'failed' | 'unknown' | 'needs_handling'
  channelRefundNo: string | null
  code: string | null
  /** Where the channel says it: must be what we asked for. */
  amountFen?: number
}

/**
 * What a channel says becomes what we know, in a transaction of its own, in any order and however often it is said: a
 * refund that is over stays so.
 */
export function takeRefundAnswers({ db, clock }: Services, answers: readonly RefundAnswered[]): Promise<void> {
  const now = clock.now()
  return db.transaction().execute((tx) => withBooks(tx, now, (books) => take(tx, books, answers, now)))
}

async function take(tx: Tx, books: Books, answers: readonly RefundAnswered[], now: Date): Promise<void> {
  const byNo = new Map(answers.map((answer) => [answer.refundNo, answer]))
  const which = sql`r.refund_no = any(${[...byNo.keys()]}::text[])`
  const known = await findRefunds(tx, which)
  if (known.length === 0) return
  const orders = await lockOrders(
    tx,
    known.map(({ orderId }) => orderId),
  )
  const refunds = await lockRefunds(tx, which)
  const paid: RefundRow[] = []
  for (const refund of refunds) {
    const answer = byNo.get(refund.refundNo)
    if (answer && (await takeAnswer(tx, refund, answer, now))) paid.push(refund)
  }
  await bookRefunded(tx, books, { orders, refunded: paid, now })
  await announceChanged(
    tx,
    orders.map(({ merchantId }) => merchantId),
  )
}

/** @returns whether the money is with the customer by it */
async function takeAnswer(tx: Tx, refund: RefundRow, answer: RefundAnswered, now: Date): Promise<boolean> {
  const { channelRefundNo, code } = answer
  const differs = answer.amountFen !== undefined && answer.amountFen !== refund.amountFen
  const said = differs ? ('needs_handling' as const) : answer.outcome
  const note = differs ? 'amountDiffers' : (code ?? '')
  if (said === 'refunded' && refundState.can(refund.state, 'confirm')) {
    await moveRefund(tx, refund, 'confirm', { endedAt: now, channelRefundNo }, now)
    await appendEvents(tx, [{ refundId: refund.id, verb: 'confirm', note: channelRefundNo ?? '' }], now)
    return true
  }
  if (said === 'refunded' && !refundState.is(refund.state, 'refunded')) {
    // Rejected or paid back by hand meanwhile: nothing is booked twice, and a person sees it in the story, once.
    const isTold = await sql`select 1 from refund_event where refund_id = ${refund.id} and verb = 'paidToo'`.execute(tx)
    if (isTold.rows.length > 0) return false
    await appendEvents(tx, [{ refundId: refund.id, verb: 'paidToo', note: channelRefundNo ?? '' }], now)
  }
  const news = newsIn(refund, said, note, now)
  if (!news) return false
  const { verb, change, isSentAgain } = news
  if (verb) await moveRefund(tx, refund, verb, { ...change, channelRefundNo }, now)
  else await noteRefund(tx, refund, { ...change, channelRefundNo }, now)
  if (isSentAgain) await sql`update refund set sent_at = null where id = ${refund.id}`.execute(tx)
  await sql`update refund set asks = asks + 1 where id = ${refund.id}`.execute(tx)
  await appendEvents(
    tx,
    [{ refundId: refund.id, verb: isSentAgain ? 'resend' : verb ? refund.state : said, note }],
    now,
  )
  return false
}

type Said = RefundAnswered['outcome']

/** What a word changes; without a verb it is only noted. */
type News = { verb: keyof typeof refundState.moves | null; change: Change; isSentAgain?: true }

function newsIn(refund: RefundRow, said: Said, note: string, now: Date): News | null {
  const { state, asks, tries } = refund
  const nextAt = new Date(now.getTime() + askAgainMs(asks))
  if (said === 'accepted') {
    return refundState.is(state, 'underWay') ? { verb: null, change: { nextAt } } : null
  }
  if (said === 'unknown') {
    if (refundState.is(state, 'unknown')) return { verb: null, change: { detail: note || refund.detail, nextAt } }
    return refundState.can(state, 'lose') ? { verb: 'lose', change: { detail: note || 'silent', nextAt } } : null
  }
  const detail = note || null
  if (said === 'failed' && refundState.can(state, 'fail')) {
    // Nothing moved: its own number may be asked for again, and pays once.
    if (tries < SENDS && refund.channelRefundNo === null) {
      return { verb: refundState.can(state, 'retry') ? 'retry' : null, change: { detail, nextAt }, isSentAgain: true }
    }
    return { verb: 'fail', change: { detail } }
  }
  if (said === 'needs_handling' && refundState.can(state, 'hand')) return { verb: 'hand', change: { detail } }
  return null
}

type Refunded = { orders: readonly RefundOrder[]; refunded: readonly RefundRow[]; now: Date }

/** Ledger, order and figures of refunds whose money is with the customer. */
export async function bookRefunded(tx: Tx, books: Books, { orders, refunded, now }: Refunded): Promise<void> {
  const ids = orders.map(({ id }) => id)
  const of = new Map(orders.map((order) => [order.id, order]))
  const done = refunded.flatMap((refund) => {
    const order = of.get(refund.orderId)
    return order ? [{ refund, order, businessDay: businessTime(now, order.timeZone).day }] : []
  })
  await postTransfers(
    tx,
    done.map(({ refund, order, businessDay }) => ({
      kind: 'refund' as const,
      reference: String(refund.id),
      merchantId: order.merchantId,
      postedAt: now,
      businessDay,
      postings: refundPostings({
        ...order,
        amountFen: refund.amountFen,
        byHand: refundState.is(refund.state, 'paid_back') ? refund.payBackWay : null,
      }),
    })),
  )
  await settleOrders(tx, ids, now)
  await giveBackVouchers(tx, await findWhole(tx, ids), now)
  const items = await itemsOf(
    tx,
    refunded.map(({ id }) => id),
  )
  books.refunded(
    done.map(({ refund, order, businessDay }) => ({
      refundId: refund.id,
      orderId: order.id,
      businessDay,
      amountFen: refund.amountFen,
      items: items.filter(({ refundId }) => refundId === refund.id),
    })),
  )
}

/** Of these, orders of which nothing is kept any more. */
async function findWhole(tx: Tx, orderIds: readonly number[]): Promise<number[]> {
  const orders = await lockOrders(tx, orderIds)
  return orders.filter((order) => paymentState.is(order.paymentState, 'refunded')).map(({ id }) => id)
}

type Pieces = { refundId: number; productId: number; quantity: number; amountFen: number }

async function itemsOf(tx: Tx, refundIds: readonly number[]): Promise<Pieces[]> {
  if (refundIds.length === 0) return []
  const found = await sql<Pieces>`select refund_id as "refundId", product_id as "productId", count(*)::int as quantity,
      sum(amount_fen)::bigint as "amountFen"
    from refund_item where refund_id = any(${[...refundIds]}::bigint[]) group by 1, 2 order by 1, 2`.execute(tx)
  return found.rows
}
