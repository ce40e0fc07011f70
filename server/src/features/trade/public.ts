export {
  requestOrders,
  takePayments,
  takeReceipts,
  type ToShip,
} from './order.commands'
export { markShipSent } from './order.store'
export { contradictions } from './recount'
export { findDue, isInOrder, redeliver } from './redeliver.commands'
export { bookPaid, takeSales } from './sale.commands'
export { type MachineRef, type Outcome, type PaidSale, type Reported, refused, taken } from './trade.types'
export { takeVendResults } from './vend.commands'
