import { orderState, paymentState, shipState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import type { AuthKeys, Tx } from '../../../kernel/context'
import type { Books } from './books'
import { type Paid, shipOrDraw } from './draw'
import { findMachinesById } from '../machine.lookup'
import { findItems, lockByNumbers, markPaid } from '../order/order.store'
import { paidSaleOf, toShipOf } from './paidSale'
import { settleHolds } from './tender'
import type { Drawn, OrderRow, ToShip } from '../trade.types'

/** Money that a channel has, by its own signed word; `paidFen` is what it says, whatever was asked. */
export type ChannelPayment = { orderNo: string; paidFen: number; channelNo: string; paidAt: Date }
/** `heardAt`: when the channel's word came, from which on the machine is told. */
type Heard = ChannelPayment & { heardAt: Date }

/**
 * `shipped`: as it should be. `late`: the order was closed, the money goes back. `mismatch`: another amount, a person
 * looks at it. `again`: known. `paidOtherwise`: somebody else has paid this order, so this money is nobody's.
 */
export type ChannelPaid = 'shipped' | 'late' | 'mismatch' | 'again' | 'paidOtherwise' | 'noOrder'

/**
 * Money of orders has arrived through channels. What is paid as it was asked ships; everything else is kept as it came
 * and ships nothing. @returns what came of each, and the orders whose money is due back
 */
export async function takeChannelPayments<P extends Heard>(
  tx: Tx,
  books: Books,
  payments: readonly P[],
  { keys, now }: { keys: AuthKeys; now: Date },
): Promise<{ came: { payment: P; outcome: ChannelPaid }[]; toShip: ToShip[]; drawn: Drawn[]; due: number[] }> {
  const orders = await lockByNumbers(
    tx,
    payments.map(({ orderNo }) => orderNo),
  )
  const found = [...orders.values()]
  const machines = await findMachinesById(
    tx,
    found.map(({ machine_id: id }) => id),
  )
  const items = await findItems(tx, found)
  const shipped: (Paid & { payment: P; order: OrderRow })[] = []
  const due: number[] = []
  const came: { payment: P; outcome: ChannelPaid }[] = []
  for (const payment of payments) {
    const order = orders.get(payment.orderNo)
    const machine = order && machines.get(order.machine_id)
    const outcome = order && machine ? outcomeOf(order, payment) : 'noOrder'
    came.push({ payment, outcome })
    if (!order || !machine || outcome === 'noOrder' || outcome === 'again' || outcome === 'paidOtherwise') continue
    const own = items.get(order.id) ?? []
    const sale = paidSaleOf(order, machine, payment.paidFen, own)
    books.paid([sale])
    if (outcome === 'shipped') {
      shipped.push({ payment, order, sale, ship: toShipOf(order, machine, own, payment.heardAt) })
      continue
    }
    await markAmiss(tx, order, payment, { outcome, now })
    await settleHolds(tx, [{ order, items: own, at: now }])
    if (outcome === 'late') due.push(order.id)
  }
  await markPaid(
    tx,
    shipped.map(({ payment, order }) => ({ ...keyOf(order), ...payment })),
  )
  return { came, due, ...(await shipOrDraw(tx, keys, shipped, now)) }
}

/**
 * Money that a person says is an order's which was closed unpaid: taken as if its channel had told of it late.
 * @returns whether the order was such a one
 */
export async function takeLatePayment(tx: Tx, books: Books, payment: ChannelPayment, now: Date): Promise<boolean> {
  const order = (await lockByNumbers(tx, [payment.orderNo])).get(payment.orderNo)
  const machine = order && (await findMachinesById(tx, [order.machine_id])).get(order.machine_id)
  if (!order || !machine || outcomeOf(order, payment) !== 'late') return false
  const items = (await findItems(tx, [order])).get(order.id) ?? []
  await markAmiss(tx, order, payment, { outcome: 'late', now })
  await settleHolds(tx, [{ order, items, at: now }])
  books.paid([paidSaleOf(order, machine, payment.paidFen, items)])
  return true
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
