import type { MessageData } from '@aisle/contract/device/messages'
import { paymentState } from '@aisle/contract/trade/states'
import type { AuthKeys, Tx } from '../../../kernel/context'
import { answers } from '../../../kernel/must'
import type { Books } from './books'
import { shipOrDraw } from './draw'
import { findItems, lockByNumbers, markPaid, markShipReceived } from '../order/order.store'
import { paidSaleOf, toShipOf } from './paidSale'
import {
  type Drawn,
  type OrderRow,
  orderNoOf,
  type Outcome,
  type Outcomes,
  type Reported,
  refused,
  taken,
  type ToShip,
} from '../trade.types'

export type ReportedPayment = Reported<MessageData<'pay.result'>>
export type ReportedReceipt = Reported<MessageData<'vend.received'>>

/** Payments that the machine's own reader took: unpaid → paid. */
export async function takePayments(
  tx: Tx,
  books: Books,
  payments: readonly ReportedPayment[],
  keys: AuthKeys,
): Promise<{ outcomes: Outcomes<ReportedPayment>; toShip: ToShip[]; drawn: Drawn[] }> {
  const [first] = payments
  if (!first) return { outcomes: new Map(), toShip: [], drawn: [] }
  const orders = await lockByNumbers(
    tx,
    payments.map((each) => orderNoOf(each.machine.code, each.data.orderNo)),
  )
  const items = await findItems(tx, [...orders.values()])
  const fresh: { payment: ReportedPayment; order: OrderRow }[] = []
  const outcomes = answers(payments, (payment): Outcome => {
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
  const paid = fresh.map(({ payment: { machine, data, receivedAt }, order }) => {
    const own = items.get(order.id) ?? []
    return { sale: paidSaleOf(order, machine, data.amountFen, own), ship: toShipOf(order, machine, own, receivedAt) }
  })
  books.paid(paid.map(({ sale }) => sale))
  return { outcomes, ...(await shipOrDraw(tx, keys, paid, first.receivedAt)) }
}

/** The same payment told twice is fine; another one for a paid or closed order is not. */
function payable(payment: ReportedPayment, order: OrderRow | undefined): Outcome | 'pay' {
  if (!order) return refused('unknownOrder')
  if (!paymentState.is(order.payment_state, 'unpaid')) {
    return order.third_party_no === payment.data.channelNo ? taken : refused('orderState')
  }
  if (payment.data.amountFen !== order.total_fen - order.discount_fen) return refused('amountDiffers')
  if (payment.data.method !== order.method) return refused('methodDiffers')
  return 'pay'
}

/** The machine has the ship order in its hands, before the motor turns. */
export async function takeReceipts(tx: Tx, receipts: readonly ReportedReceipt[]): Promise<Outcomes<ReportedReceipt>> {
  if (receipts.length === 0) return new Map()
  const orders = await lockByNumbers(
    tx,
    receipts.map((each) => orderNoOf(each.machine.code, each.data.orderNo)),
  )
  const marks: Parameters<typeof markShipReceived>[1][number][] = []
  const outcomes = answers(receipts, (receipt): Outcome => {
    const order = orders.get(orderNoOf(receipt.machine.code, receipt.data.orderNo))
    if (!order) return refused('unknownOrder')
    if (paymentState.is(order.payment_state, 'notPaid')) return refused('orderState')
    marks.push({ merchantId: order.merchant_id, occurredAt: order.occurred_at, id: order.id, at: receipt.occurredAt })
    return taken
  })
  await markShipReceived(tx, marks)
  return outcomes
}
