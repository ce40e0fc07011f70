export {
  clearAlarms,
  closeRepaired,
  holdAlarms,
  linkRepair,
  type Raised,
  raiseAlarms,
  TELL_ALARMS,
  unlinkRepair,
} from './alarm.store'
export { watchBatch } from './watch.commands'
export { isHeldForTemperature, isMedicineCabinet, TEMPERATURE_LOCK, TEMPERATURE_LOCK_BY_HAND } from './watch.store'
export { takeNews } from './tell.store'
