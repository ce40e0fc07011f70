export { type Books, withBooks } from './sale/books'
export { type Hour, salesByHour, soldUntil } from './order/hours.reads'
export { findMachines, findMachinesById } from './machine.lookup'
export { listOrdersIn } from './order/order.reads'
export { requestOrders } from './order/order.commands'
export type { Quote } from './order/order.quotes'
export { lockByNumbers, markShipSent } from './order/order.store'
export { takeChannelPayments, takeLatePayment } from './sale/channelPay.commands'
export { takePayments, takeReceipts } from './sale/pay.commands'
export type { Promised } from './sale/choice'
export { openForPartner } from './sale/partner.commands'
export { holdPromised, promisedBeside } from './sale/promised.store'
export { contradictions } from './recount'
export { findDue, isInOrder, redeliver } from './sale/redeliver.commands'
export { holdBackStopped } from './sale/stopped.commands'
export { takeSales } from './sale/sale.commands'
export {
  type Drawn,
  type MachineRef,
  type Outcome,
  type Outcomes,
  type Reported,
  refused,
  taken,
  type ToShip,
} from './trade.types'
export { dueBack, isUndelivered } from './sale/due.rules'
export { sharesOf } from './sale/share.rules'
export { sweepWaiting, takeVendResults } from './sale/vend.commands'
export { takeTraced, type TracedPiece } from './sale/traced.commands'
export { isUnlawful, type WrongPiece } from './sale/wrongSale.rules'
export { giveUpItems, moveSettled } from './order/settled.store'
