export {
  type Access,
  findFollowLinks,
  findSendingAccount,
  forgetPayers,
  isSendingAccount,
  keepAccess,
  markTold,
  type PayerRow,
  type SendingAccount,
  takePayers,
} from './accountLink.store'
export { mayPlace } from './assortment.rules'
export { allowedProducts, recommendedProducts } from './assortment.store'
export { flowTroubles, takeFlow } from './flow.store'
export { TELL_SETTINGS } from './machine.edit.commands'
export { followFor } from './follow.rules'
export { findInSight } from './machine.reads'
export { stockDrift } from './stockReport.rules'
export { joinStockReport, type StockReport, stockReportColumns } from './stockReport.store'
