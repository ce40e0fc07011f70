import { remoteShipState } from '@aisle/contract/device/remoteShip'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import { grouped } from '../../kernel/must'
import { machineInSight, type Sight } from '../../kernel/scope'
import { isPlayed } from '../lottery/public'
import { isPaidTwice } from '../payment/public'
import { sharesOf } from '../trade/public'
import type { RefundItem, RefundOrder } from './refund.types'
import { statesIn } from '../../kernel/states'

/** Of an order, what people asked to pay back together and nobody but who asked has looked at. */
export const unseenFen = (orderId: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(u.amount_fen), 0)::bigint from refund u where u.order_id = ${orderId}
    and u.state <> 'rejected' and coalesce(u.decided_by, u.requested_by) = u.requested_by)`

const orders = (which: RawBuilder<unknown>) => sql`
  select o.id, o.order_no as "orderNo", o.merchant_id as "merchantId", o.machine_id as "machineId",
    m.code as "machineCode", o.occurred_at as "occurredAt", m.time_zone as "timeZone", m.auto_refund as "autoRefund",
    c.collects_payment as "collectsPayment", o.method, o.business_type as "businessType",
    o.payment_state as "paymentState", o.ship_state as "shipState", o.order_state as "orderState", o.problem,
    ${isPlayed} as "isPlayed", o.total_fen as "totalFen", o.paid_fen as "paidFen", o.refunded_fen as "refundedFen",
    o.held_fen as "heldFen", o.paid_at as "paidAt",
    (select max(a.id) from payment_attempt a where a.order_id = o.id and a.state = 'paid'
      and not ${isPaidTwice}) as "attemptId",
    (select count(*)::int from refund r where r.order_id = o.id) as refunds, ${unseenFen(sql`o.id`)} as "unseenFen"
  from order_number n
  join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
  join machine m on m.id = o.machine_id join merchant c on c.id = o.merchant_id
  where ${which}`

/**
 * Locked, in the order of their ids, before any of their refunds is: two who do so never wait for each other in a ring.
 * What is counted beside the row is read once the lock is held.
 */
export async function lockOrders(tx: Tx, ids: readonly number[]): Promise<RefundOrder[]> {
  const wanted = sql`n.order_id = any(${[...new Set(ids)]}::bigint[])`
  await sql`select 1 from order_number n
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    where ${wanted} order by o.id for update of o`.execute(tx)
  const found = await sql<RefundOrder>`${orders(wanted)} order by o.id`.execute(tx)
  return found.rows
}

export async function findOrderInSight(db: Reader, sight: Sight, orderNo: string): Promise<RefundOrder | undefined> {
  const found = await sql<RefundOrder>`${orders(sql`n.order_no = ${orderNo}
    and ${machineInSight(sight, sql`o.machine_id`)}`)}`.execute(db)
  return found.rows[0]
}

/** By order; each with its part of what was paid for the whole. */
export async function findItems(db: Reader, all: readonly RefundOrder[]): Promise<Map<number, RefundItem[]>> {
  const found = await sql<Omit<RefundItem, 'shareFen'> & { priceFen: number }>`
    select i.order_id as "orderId", i.index, i.product_id as "productId", i.state, i.price_fen as "priceFen",
      exists (select 1 from refund_item r where r.order_id = i.order_id and r.item_index = i.index and r.is_live)
        as "isHeld",
      exists (select 1 from second_piece s where s.order_id = i.order_id and s.index = i.index) as "isOutTwice"
    from ${rows('k', all.map(keyOf), { merchantId: 'bigint', occurredAt: 'timestamptz', id: 'bigint' })}
    join order_item i on i.merchant_id = k.merchant_id and i.occurred_at = k.occurred_at and i.order_id = k.id
    order by i.order_id, i.index`.execute(db)
  const byOrder = grouped(found.rows, ({ orderId }) => orderId)
  return new Map(
    all.map((order): [number, RefundItem[]] => {
      const items = byOrder.get(order.id) ?? []
      const shares = sharesOf(
        order,
        items.map(({ priceFen }) => priceFen),
      )
      return [order.id, items.map(({ priceFen: _, ...item }, at) => ({ ...item, shareFen: shares[at] ?? 0 }))]
    }),
  )
}

const keyOf = ({ merchantId, occurredAt, id }: RefundOrder) => ({ merchantId, occurredAt, id })

/** Items that are on their way by a remote dispense, or may have come out by one. */
export async function itemsUnderWay(db: Reader, orderId: number): Promise<number[]> {
  const found = await sql<{ index: number }>`select item_index as index from remote_ship
    where order_id = ${orderId} and item_index is not null
      and state in ${statesIn(remoteShipState, 'underWay')}`.execute(db)
  return found.rows.map(({ index }) => index)
}
