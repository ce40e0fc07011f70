import type { MessageData } from '@aisle/contract/device/messages'
import { paymentState } from '@aisle/contract/trade/states'
import type { AuthKeys, Tx } from '../../kernel/context'
import { shipOrDraw } from './draw'
import { findItems, lockByNumbers, markPaid, markShipReceived } from './order.store'
import { paidSaleOf, toShipOf } from './paidSale'
import {
  type Drawn,
  type OrderRow,
  orderNoOf,
  type Outcome,
  type PaidSale,
  type Reported,
  refused,
  taken,
  type ToShip,
} from './trade.types'

export type ReportedPayment = Reported<MessageData<'pay.result'>>
export type ReportedReceipt = Reported<MessageData<'vend.received'>>

/** Payments that the machine's own reader took: unpaid → paid. The transaction must end with `bookPaid`. */
export async function takePayments(
  tx: Tx,
  payments: readonly ReportedPayment[],
  keys: AuthKeys,
): Promise<{ outcomes: Outcome[]; paid: PaidSale[]; toShip: ToShip[]; drawn: Drawn[] }> {
  const [first] = payments
  if (!first) return { outcomes: [], paid: [], toShip: [], drawn: [] }
  const orders = await lockByNumbers(
    tx,
    payments.map((each) => orderNoOf(each.machine.code, each.data.orderNo)),
  )
  const items = await findItems(tx, [...orders.values()])
  const fresh: { payment: ReportedPayment; order: OrderRow }[] = []
  const outcomes = payments.map((payment): Outcome => {
    const order = orders.get(orderNoOf(payment.machine.code, payment.data.orderNo))
    const outcome = payable(payment, order)
    if (outcome !== 'pay' || !order) return outcome === 'pay' ? refused('unknownOrder') : outcome
    order.payment_state = paymentState.to('pay')
    order.third_party_no = payment.data.channelNo
    fresh.push({ payment, order })
    return taken
  })
  await markPaid(
    tx,
    fresh.map(({ payment, order }) => ({
      merchantId: order.merchant_id,
      occurredAt: order.occurred_at,
      id: order.id,
      paidFen: payment.data.amountFen,
      channelNo: payment.data.channelNo,
      paidAt: payment.occurredAt,
    })),
  )
  const paid = fresh.map(({ payment, order }) =>
    paidSaleOf(order, payment.machine, payment.data.amountFen, items.get(order.id) ?? []),
  )
  const ships = fresh.map(({ payment, order }) => toShipOf(order, payment.machine, items.get(order.id) ?? []))
  return { outcomes, paid, ...(await shipOrDraw(tx, keys, { paid, ships, at: first.receivedAt })) }
}

/** The same payment told twice is fine; another one for a paid or closed order is not. */
function payable(payment: ReportedPayment, order: OrderRow | undefined): Outcome | 'pay' {
  if (!order) return refused('unknownOrder')
  if (order.payment_state !== 'unpaid') {
    return order.third_party_no === payment.data.channelNo ? taken : refused('orderState')
  }
  if (payment.data.amountFen !== order.total_fen - order.discount_fen) return refused('amountDiffers')
  if (payment.data.method !== order.method) return refused('methodDiffers')
  return 'pay'
}

/** The machine has the ship order in its hands, before the motor turns. */
export async function takeReceipts(tx: Tx, receipts: readonly ReportedReceipt[]): Promise<Outcome[]> {
  if (receipts.length === 0) return []
  const orders = await lockByNumbers(
    tx,
    receipts.map((each) => orderNoOf(each.machine.code, each.data.orderNo)),
  )
  const marks: Parameters<typeof markShipReceived>[1][number][] = []
  const outcomes = receipts.map((receipt): Outcome => {
    const order = orders.get(orderNoOf(receipt.machine.code, receipt.data.orderNo))
    if (!order) return refused('unknownOrder')
    if (order.payment_state === 'unpaid' || order.payment_state === 'closed') return refused('orderState')
    marks.push({ merchantId: order.merchant_id, occurredAt: order.occurred_at, id: order.id, at: receipt.occurredAt })
    return taken
  })
  await markShipReceived(tx, marks)
  return outcomes
}
