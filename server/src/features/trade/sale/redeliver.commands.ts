import { itemState, paymentState, shipState } from '@aisle/contract/trade/states'
import { type RawBuilder, sql } from 'kysely'
import type { Reader, Tx } from '../../../kernel/context'
import { machineInSight, type Sight } from '../../../kernel/scope'
import { outsidePlaces, recordMoves } from '../../stock/public'
import type { Books } from './books'
import { findItems, lockByNumbers, markItems } from '../order/order.store'
import { vendMove } from './sale.commands'
import { settleHolds } from './tender'
import { handedOutOf, type ItemRow, type OrderRow } from '.././trade.types'
import { statesFrom, statesIn, stateTo } from '../../../kernel/states'

export type Due = {
  orderId: number
  machineId: number
  isPaid: boolean
  /** Money went back or is on its way back: nothing is owed in goods. */
  isRepaid: boolean
  /** Paid for and not come out. */
  due: { index: number; productId: number }[]
}

/**
 * The money of a refund `r` went to the customer, a channel has been asked for it, or somebody says that it was handed
 * over. Until then goods may be owed.
 */
const isPaidOut = sql`r.state <> 'rejected' and r.state <> 'pending_review'
  and not (r.state = 'needs_handling' and r.tries = 0 and r.pay_back_way is null)`
const goneItems = sql`refund r join refund_item g on g.refund_id = r.id and g.is_live and ${isPaidOut}`
/** What was won and handed over at a counter is with the customer. */
const isCollected = (orderId: RawBuilder<unknown>) => sql`exists (
  select 1 from lottery_play v where v.id = ${orderId} and v.prize_state = 'collected')`
const ofOrder = sql`i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
  and i.state = any(${[...itemState.from('redeliver')]}::text[]) and not ${isCollected(sql`o.id`)}`

/** What an order in sight still owes in goods; undefined where there is no such order. */
export async function findDue(db: Reader, sight: Sight, orderNo: string): Promise<Due | undefined> {
  const found = await sql<Due>`
    select o.id as "orderId", o.machine_id as "machineId", o.paid_at is not null as "isPaid",
      o.payment_state in ${statesIn(paymentState, 'over')} or exists (
        select 1 from refund r where r.order_id = o.id and ${isPaidOut}
        and not exists (select 1 from refund_item i where i.refund_id = r.id))
      or (exists (select 1 from ${goneItems} where r.order_id = o.id)
        and not exists (select 1 from order_item i where ${ofOrder}
        and i.index not in (select g.item_index from ${goneItems} where r.order_id = o.id))) as "isRepaid",
      coalesce((select json_agg(json_build_object('index', i.index, 'productId', i.product_id) order by i.index)
        from order_item i where ${ofOrder}
          and i.index not in (select g.item_index from ${goneItems} where r.order_id = o.id)), '[]') as due
    from order_number n
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    where n.order_no = ${orderNo} and ${machineInSight(sight, sql`o.machine_id`)}`.execute(db)
  return found.rows[0]
}

/** Whether a customer's order is being paid or handed out there now. */
export async function isInOrder(db: Reader, machineId: number): Promise<boolean> {
  const found = await sql`select 1 from orders
    where machine_id = ${machineId} and order_state = 'open' limit 1`.execute(db)
  return found.rows.length > 0
}

export type Redelivery = {
  orderNo: string
  itemIndex: number
  /** Where the piece really came from; the item may name another slot. */
  placeId: number
  productId: number
  merchantId: number
  at: Date
  motorCode: string
  sensorCode: string
}

/**
 * An item that had not come out was handed out later: dispensed, out of the stock, and nothing is due for it any more;
 * the code, prescription or play that it was had on is spent by it. @returns false where the money went back meanwhile:
 * then nothing is changed
 */
export async function redeliver(tx: Tx, books: Books, one: Redelivery): Promise<boolean> {
  const { orderNo, itemIndex, placeId, productId, merchantId, at, motorCode, sensorCode } = one
  const order = (await lockByNumbers(tx, [orderNo])).get(orderNo)
  const items = order ? ((await findItems(tx, [order])).get(order.id) ?? []) : []
  const item = items.find(({ index }) => index === itemIndex)
  if (!order || !item || !itemState.can(item.state, 'redeliver') || isRepaid(order)) return false
  if (await isGone(tx, order, item)) return false
  const key = { merchantId: order.merchant_id, occurredAt: order.occurred_at, id: order.id }
  await reopen(tx, key, item.index, at)
  item.state = itemState.to('redeliver')
  books.handedOut([handedOutOf(order, { ...item, batch: null })])
  const result = { motorCode, sensorCode, batch: null, traceCode: null, shippedAt: at }
  await markItems(tx, [{ ...key, index: item.index, state: item.state, ...result }])
  const isWhole = items.every(({ state }) => itemState.is(state, 'dispensed'))
  await sql`update orders set
      ship_state = case when ship_state in ${statesFrom(shipState, 'redeliver')}
        then ${stateTo(shipState, 'redeliver')} else ship_state end,
      problem = case when ${isWhole} and problem in ('undelivered', 'no_answer', 'late_result', 'paid_late') then null
        else problem end
    where merchant_id = ${key.merchantId} and occurred_at = ${key.occurredAt} and id = ${key.id}`.execute(tx)
  const customers = await outsidePlaces(tx, 'customer', [merchantId])
  const sale = { machine: { merchantId }, occurredAt: at, orderId: order.id }
  await recordMoves(tx, [vendMove(sale, { index: item.index, placeId, productId }, customers, undefined)])
  await settleHolds(tx, [{ order, items, at }])
  return true
}

const isRepaid = ({ payment_state, paid_fen, refunded_fen }: OrderRow): boolean =>
  paymentState.is(payment_state, 'notPaid') || (paid_fen > 0 && refunded_fen === paid_fen)

/** Of an order that is held: refunds are written, and prizes handed over, with their order locked. */
async function isGone(tx: Tx, { id }: OrderRow, { index }: ItemRow): Promise<boolean> {
  const found = await sql`select 1 from ${goneItems} where r.order_id = ${id} and g.item_index = ${index}
    union all select 1 from lottery_play p where p.id = ${id} and ${index} = 0 and ${isCollected(sql`p.id`)}
    limit 1`.execute(tx)
  return found.rows.length > 0
}

/** The item waits again for the result that is written next; the machine may still owe its own (`second.store.ts`). */
async function reopen(tx: Tx, order: { merchantId: number; occurredAt: Date; id: number }, index: number, at: Date) {
  await sql`update order_item set state = ${stateTo(itemState, 'reopen')},
      redelivered_at = case when state = 'no_answer' then ${at}::timestamptz end where merchant_id = ${order.merchantId}
    and occurred_at = ${order.occurredAt} and order_id = ${order.id} and index = ${index}
    and state in ${statesFrom(itemState, 'reopen')}`.execute(tx)
}
