export { countCashToDecide } from './cash/cash.reads'
export { countUndecided as countUndecidedTours } from './order.reads'
