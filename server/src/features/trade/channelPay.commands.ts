import { orderState, paymentState, shipState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import type { AuthKeys, Tx } from '../../kernel/context'
import { shipOrDraw } from './draw'
import { findMachinesById } from './machine.lookup'
import { findItems, lockByNumbers, markPaid } from './order.store'
import { paidSaleOf, toShipOf } from './paidSale'
import { settleHolds } from './tender'
import type { Drawn, OrderRow, PaidSale, ToShip } from './trade.types'

/** Money that a channel has, by its own signed word; `paidFen` is what it says, whatever was asked. */
export type ChannelPayment = { orderNo: string; paidFen: number; channelNo: string; paidAt: Date }

/**
 * `shipped`: as it should be. `late`: the order was closed, the money goes back. `mismatch`: another amount, a person
 * looks at it. `again`: known. `paidOtherwise`: somebody else has paid this order, so this money is nobody's.
 */
export type ChannelPaid = 'shipped' | 'late' | 'mismatch' | 'again' | 'paidOtherwise' | 'noOrder'

/**
 * An order's money has arrived through a channel. What is paid as it was asked ships; everything else is kept as it
 * came and ships nothing. The transaction must end with `bookPaid`.
 */
export async function takeChannelPayment(
  tx: Tx,
  payment: ChannelPayment,
  { keys, now }: { keys: AuthKeys; now: Date },
): Promise<{ outcome: ChannelPaid; paid: PaidSale[]; toShip: ToShip[]; drawn: Drawn[]; orderId: number }> {
  const order = (await lockByNumbers(tx, [payment.orderNo])).get(payment.orderNo)
  const machine = order && (await findMachinesById(tx, [order.machine_id])).get(order.machine_id)
  const nothing = { paid: [], toShip: [], drawn: [], orderId: order?.id ?? 0 }
  if (!order || !machine) return { outcome: 'noOrder', ...nothing }
  const outcome = outcomeOf(order, payment)
  if (outcome === 'again' || outcome === 'paidOtherwise') return { outcome, ...nothing }
  const items = (await findItems(tx, [order])).get(order.id) ?? []
  const paid = [paidSaleOf(order, machine, payment.paidFen, items)]
  if (outcome === 'shipped') {
    await markPaid(tx, [{ ...keyOf(order), ...payment }])
    const ships = [toShipOf(order, machine, items)]
    return { outcome, paid, orderId: order.id, ...(await shipOrDraw(tx, keys, { paid, ships, at: now })) }
  }
  await markAmiss(tx, order, payment, { outcome, now })
  await settleHolds(tx, [{ order, items, at: now }])
  return { ...nothing, outcome, paid }
}

/**
 * Money that a person says is an order's which was closed unpaid: taken as if its channel had told of it late. Empty
 * where the order is not such a one. The transaction must end with `bookPaid`.
 */
export async function takeLatePayment(tx: Tx, payment: ChannelPayment, now: Date): Promise<PaidSale[]> {
  const order = (await lockByNumbers(tx, [payment.orderNo])).get(payment.orderNo)
  const machine = order && (await findMachinesById(tx, [order.machine_id])).get(order.machine_id)
  if (!order || !machine || outcomeOf(order, payment) !== 'late') return []
  const items = (await findItems(tx, [order])).get(order.id) ?? []
  await markAmiss(tx, order, payment, { outcome: 'late', now })
  await settleHolds(tx, [{ order, items, at: now }])
  return [paidSaleOf(order, machine, payment.paidFen, items)]
}

function outcomeOf(order: OrderRow, { channelNo, paidFen }: ChannelPayment): Exclude<ChannelPaid, 'noOrder'> {
  if (paymentState.can(order.payment_state, 'payLate')) return 'late'
  if (!paymentState.can(order.payment_state, 'pay')) {
    return order.third_party_no === channelNo ? 'again' : 'paidOtherwise'
  }
  return paidFen === order.total_fen - order.discount_fen ? 'shipped' : 'mismatch'
}

/** Nothing ships for it: a closed order stays closed, an open one is through. */
async function markAmiss(
  tx: Tx,
  order: OrderRow,
  { paidFen, channelNo, paidAt }: ChannelPayment,
  { outcome, now }: { outcome: 'late' | 'mismatch'; now: Date },
): Promise<void> {
  const isLate = outcome === 'late'
  const state = paymentState.to(isLate ? 'payLate' : 'pay')
  const ship = isLate ? order.ship_state : shipState.to('invalidate')
  const over = isLate ? order.order_state : orderState.to('finish')
  await sql`update orders set payment_state = ${state}, paid_fen = ${paidFen}, third_party_no = ${channelNo},
      paid_at = ${paidAt}, ship_state = ${ship}, order_state = ${over}, finished_at = ${now},
      problem = ${isLate ? 'paid_late' : 'amount_mismatch'}
    where merchant_id = ${order.merchant_id} and occurred_at = ${order.occurred_at} and id = ${order.id}`.execute(tx)
}

const keyOf = (order: OrderRow) => ({ merchantId: order.merchant_id, occurredAt: order.occurred_at, id: order.id })
