export {
  type Access,
  findFollowLinks,
  findSendingAccount,
  forgetPayers,
  keepAccess,
  keepPayer,
  markTold,
  type PayerRow,
  type SendingAccount,
  takePayers,
} from './officialAccount/accountLink.store'
export { mayPlace } from './assortment/assortment.rules'
export { allowedProducts, recommendedProducts } from './assortment/assortment.store'
export { flowTroubles, takeFlow } from './flowCard/flow.store'
export { TELL_SETTINGS } from './machine/machine.edit.commands'
export { followFor } from './officialAccount/follow.rules'
export { type Granted, grantMachines, grantTables, revokeMachines } from './machine/grant.store'
export { findInSight } from './machine/machine.reads'
export { stockDrift } from './machine/stockReport.rules'
export {
  forgetSettings,
  learnOperations,
  learnSettings,
  moveOperations,
  setSettings,
  flagsOf,
  settingDiffers,
  takeBackOperations,
  type ToldSetting,
} from './machine/machine.told.store'
export { isHeldForTemperature, lockForTemperature, releaseForTemperature, TEMPERATURE_LOCK } from './slot/held.store'
export { addOutsidePlaces, addPlace, namePlace, type OutsidePlace } from './slot/place.store'
export {
  hangSlots,
  beginPlans,
  clearNextPlans,
  type NewSlot,
  raisePlans,
  saveNextPlans,
  savePlans,
  setSlotPrices,
  type SlotPlan,
  takeOffSlots,
} from './slot/slot.store'
export { joinStockReport, type StockReport, stockReportColumns } from './machine/stockReport.store'
export {
  markBeats,
  markDisconnected,
  markMeasured,
  markPresences,
  markSeen,
  markSlotFaults,
  markSnapshots,
} from './machine/machineState.store'
