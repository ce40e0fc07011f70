import { agreePayBack, applyRefund, approveRefund, payBackRefund, rejectRefund } from '@aisle/contract/refund/verbs'
import { sql } from 'kysely'
import { takeRefundAnswers } from '../../features/refund/public'
import { sendRefunds } from '../../features/refund/send.commands'
import { type DemoDay, DAY_MS, HOUR_MS } from '../calendar'
import { refundReasons } from '../data/complaints'
import { refundNoOf } from '../money/channelNumbers'
import { randomFrom, seedOf } from '../random'
import type { Past } from './within'

/** Of the last days something is still to be done. */
const OPEN_DAYS = 2

type Open = { id: number; refundNo: string; state: string; requestedAt: Date; picture: string | null; isSeen: boolean }

/** The evening of a day: people have decided what it has left them; newer things wait. */
export async function decideDay(past: Past, day: DemoDay): Promise<void> {
  await complain(past, day)
  if (day.daysAgo >= OPEN_DAYS) {
    for (const refund of await findOpen(past, day, ['pending_review', 'needs_handling'])) await decide(past, refund)
  }
  await answerRefunds(past, day, day.startMs + 21 * HOUR_MS)
}

/** In sight of the demo's finance; others have people of their own, who are slower. */
const findOpen = async ({ tx }: Past, day: DemoDay, states: readonly string[]): Promise<Open[]> => {
  const found = await sql<Open>`select r.id, r.refund_no as "refundNo", r.state, r.requested_at as "requestedAt",
      (select p.picture from refund_item i join product p on p.id = i.product_id where i.refund_id = r.id limit 1)
        as picture,
      exists (select 1 from machine_grant_user g join app_user u on u.id = g.user_id
        where g.machine_id = r.machine_id and u.account = 'finance') as "isSeen"
    from refund r where r.state = any(${[...states]}::text[]) and r.requested_at < ${new Date(day.startMs + DAY_MS)}
      and r.requested_at >= ${new Date(day.startMs)} order by r.requested_at, r.id`.execute(tx)
  return found.rows
}

/**
 * A channel answers within a minute, before anybody else is told of what is asked of it; some answers of the last days
 * are lost, or ask for a person.
 */
export async function answerRefunds(past: Past, day: DemoDay, untilMs: number): Promise<void> {
  for (const { refundNo, requestedAt } of await findOpen(past, day, ['refunding'])) {
    const random = randomFrom(seedOf(`${refundNo}/answer`))
    const isLate = day.daysAgo < OPEN_DAYS && random.chance(0.25)
    const outcome = isLate ? random.pick(['unknown', 'needs_handling'] as const) : ('refunded' as const)
    past.at(requestedAt.getTime() + random.between(20, 55) * 1_000)
    const channelRefundNo = isLate ? null : refundNoOf(refundNo, day.startMs)
    await takeRefundAnswers(past.services, [{ refundNo, outcome, channelRefundNo, code: isLate ? 'NOT_ENOUGH' : null }])
  }
  // Cards are ours: what goes back on them is sent as the product sends it.
  past.at(untilMs)
  await sendRefunds(past.services)
  await beTold(past, untilMs)
}

/** Of the past everybody has been told: a demo that begins with a thousand messages is none. */
export async function beTold({ tx }: Past, untilMs: number): Promise<void> {
  const until = new Date(untilMs)
  await sql`update alarm set told_at = opened_at where told_at is null and opened_at <= ${until}`.execute(tx)
  await sql`update refund set told_at = requested_at where told_at is null and requested_at <= ${until}
    and state = 'needs_handling'`.execute(tx)
}

async function decide(past: Past, { id, refundNo, state, requestedAt, picture, isSeen }: Open) {
  const random = randomFrom(seedOf(`${refundNo}/decision`))
  if (!isSeen) return
  past.at(requestedAt.getTime() + random.between(1, 7) * HOUR_MS)
  if (state === 'pending_review') {
    if (random.chance(0.12)) await past.as('finance', rejectRefund, { id, reason: '顾客表示已取到商品' })
    else await past.as('finance', approveRefund, { id })
    return
  }
  const proof = picture ? [picture] : []
  await past.as('merchant', payBackRefund, { id, way: 'cash', note: '补货时当面退还顾客', proof })
  await past.as('finance', agreePayBack, { id })
}

/** What people asked for: the goods were out, and not what the customer had paid for. */
async function complain(past: Past, day: DemoDay): Promise<void> {
  const found = await sql<{ orderNo: string; paidAt: Date }>`
    select o.order_no as "orderNo", o.paid_at as "paidAt" from orders o join machine m on m.id = o.machine_id
    join merchant c on c.id = o.merchant_id
    where o.business_day = ${day.day}::date and o.occurred_at >= ${new Date(day.startMs)}
      and o.occurred_at < ${new Date(day.startMs + DAY_MS)} and o.problem is null and o.held_fen = 0
      and o.paid_fen > 0 and o.paid_at is not null and o.item_count = 1 and not o.is_lottery and o.order_state = 'done'
      and o.method in ('wechat', 'alipay', 'unionpay') and c.path && array(select id from merchant where code = 'EAST')
      and hashtext(o.order_no) % 180 = 7 order by o.occurred_at`.execute(past.tx)
  for (const { orderNo, paidAt } of found.rows) {
    const random = randomFrom(seedOf(`${orderNo}/complaint`))
    past.at(Math.min(day.startMs + 20 * HOUR_MS, paidAt.getTime() + random.between(20, 200) * 60_000))
    await past.as('merchant', applyRefund, { orderNo, items: [0], amountFen: null, reason: random.pick(refundReasons) })
  }
}
