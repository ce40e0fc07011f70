export { type Hour, salesByHour, soldUntil } from './hours.reads'
export { findMachines, findMachinesById } from './machine.lookup'
export { type Quote, requestOrders } from './order.commands'
export { lockByNumbers, markShipSent } from './order.store'
export { takeChannelPayment, takeLatePayment } from './channelPay.commands'
export { announceSales } from './sale.announce'
export { addRefundsToRollups } from './rollup.store'
export { takePayments, takeReceipts } from './pay.commands'
export { holdPromised, openForPartner, type Promised } from './partner.commands'
export { contradictions } from './recount'
export { findDue, isInOrder, redeliver } from './redeliver.commands'
export { bookPaid, takeSales } from './sale.commands'
export {
  type HandedOut,
  type Drawn,
  type MachineRef,
  type Outcome,
  type PaidSale,
  type Reported,
  refused,
  taken,
  type ToShip,
} from './trade.types'
export { dueBack, isUndelivered } from './due.rules'
export { sharesOf } from './share.rules'
export { sweepWaiting, takeVendResults } from './vend.commands'
export { isUnlawful, type WrongPiece } from './wrongSale.rules'
