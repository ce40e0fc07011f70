import type { getRefund, Refund } from '@aisle/contract/refund/refund'
import { refundState } from '@aisle/contract/refund/states'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { refundSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { findEntriesByOrder, movementsOf, refundPostings } from '../ledger/public'
import { itemsUnderWay, unseenFen } from './order.store'
import { isOwnAboveLimit, isPayable, paybackRouteOf } from './refund.rules'
import { rowsInSight, withOrder } from './refund.reads'

type Detail = OutputOf<typeof getRefund>
type Row = Refund & {
  merchantId: number
  occurred_at: Date
  requested_at: Date
  channel_refund_no: string | null
  requestedById: number | null
  attempt_id: number | null
  refunds: number
  unseenFen: number
  limitAsked: number | null
  payBackById: number | null
  collectsPayment: boolean
} & Pick<Detail, 'version' | 'channelRefundNo' | 'sentAt' | 'nextAt' | 'order' | 'payBack'>

/** Everything that somebody who has to decide asks: what was bought, what came out, what the channel says. */
export async function findRefundDetail(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const found = await sql<Row>`
    select p.*, r.version, r.channel_refund_no as "channelRefundNo", to_json(r.sent_at) #>> '{}' as "sentAt",
      to_json(r.next_at) #>> '{}' as "nextAt", r.pay_back_by as "payBackById", r.limit_fen as "limitAsked",
      (select collects_payment from merchant c where c.id = r.merchant_id) as "collectsPayment",
      (select count(*)::int from refund o where o.order_id = r.order_id) as refunds,
      ${unseenFen(sql`r.order_id`)} as "unseenFen",
      (select json_build_object('thirdPartyNo', o.third_party_no, 'occurredAt', o.occurred_at, 'paidAt', o.paid_at,
        'shipSentAt', o.ship_sent_at, 'shipReceivedAt', o.ship_received_at, 'businessType', o.business_type,
        'paymentState', o.payment_state, 'shipState', o.ship_state, 'problem', o.problem,
        'refundedFen', o.refunded_fen, 'heldFen', o.held_fen)
        from orders o where o.merchant_id = r.merchant_id and o.occurred_at = r.occurred_at and o.id = r.order_id)
        as order,
      case when r.pay_back_way is not null then json_build_object('way', r.pay_back_way, 'note', r.pay_back_note,
        'proof', r.pay_back_proof, 'by', (select display_name from app_user where id = r.pay_back_by),
        'isMine', r.pay_back_by = ${ctx.actor.userId}, 'at', r.pay_back_at,
        'agreedBy', (select display_name from app_user where id = r.pay_back_agreed_by)) end as "payBack"
    from (${withOrder(rowsInSight(sightOf(ctx.actor)))}) p join refund r on r.id = p.id where p.id = ${id}`.execute(
    ctx.db,
  )
  const row = found.rows[0]
  if (!row) return undefined
  const items = await findItems(ctx.db, row)
  const entries = await findEntriesByOrder(ctx.db, row.orderId)
  const limitFen = row.limitAsked ?? (await settingOf(ctx.db, refundSecondPerson, row.merchantId))
  const underWay = await itemsUnderWay(ctx.db, row.orderId)
  const paidAt = new Date(row.order.paidAt ?? row.requestedAt)
  const route = paybackRouteOf(
    { method: row.method, attemptId: row.attempt_id, paidAt, refunds: row.refunds - 1 },
    ctx.now(),
  )
  return {
    ...row,
    isSent: row.tries > 0,
    isPayable: isPayable(route),
    isOwnAboveLimit: isOwnAboveLimit(row, ctx.actor.userId, limitFen),
    isUnderWay: items.some(({ index }) => underWay.includes(index)),
    items,
    exchanges: await findExchanges(ctx.db, row.refundNo),
    entries: entries.map(({ reference: _, ...entry }) => ({ ...entry, postedAt: entry.postedAt.toISOString() })),
    story: await findStory(ctx.db, id),
    payBackMoves: await payBackMoves(ctx.db, row),
  }
}

async function payBackMoves(db: Reader, row: Row): Promise<Detail['payBackMoves']> {
  const moves = (byHand: 'transfer' | 'cash') =>
    movementsOf(db, refundState.can(row.state, 'payBack') ? refundPostings({ ...row, byHand }) : [])
  return { transfer: await moves('transfer'), cash: await moves('cash') }
}

async function findItems(db: Reader, { id, orderId, merchantId, occurred_at }: Row): Promise<Detail['items']> {
  const found = await sql<Detail['items'][number]>`
    select i.index, s.code as "slotCode", p.id as "productId", p.name as "productName", p.picture,
      r.amount_fen as "amountFen", i.state,
      i.motor_code as "motorCode", i.sensor_code as "sensorCode", to_json(i.shipped_at) #>> '{}' as "shippedAt"
    from refund_item r join order_item i on i.merchant_id = ${merchantId} and i.occurred_at = ${occurred_at}
      and i.order_id = ${orderId} and i.index = r.item_index
    join slot s on s.id = i.slot_id join product p on p.id = i.product_id
    where r.refund_id = ${id} order by i.index`.execute(db)
  return found.rows
}

/** By our number, which is the same for every try. */
async function findExchanges(db: Reader, refundNo: string): Promise<Detail['exchanges']> {
  const found = await sql<Detail['exchanges'][number]>`
    select to_json(at) #>> '{}' as at, kind, outcome, status, duration_ms as "durationMs",
      left(request_body, 4000) as request, left(answer_body, 4000) as answer
    from channel_exchange where reference = ${refundNo} order by at desc limit 40`.execute(db)
  return found.rows
}

async function findStory(db: Reader, id: number): Promise<Detail['story']> {
  const found = await sql<Detail['story'][number]>`
    select e.id, to_json(e.at) #>> '{}' as at, e.verb, u.display_name as who, e.note
    from refund_event e left join app_user u on u.id = e.user_id
    where e.refund_id = ${id} order by e.id desc limit 100`.execute(db)
  return found.rows
}
