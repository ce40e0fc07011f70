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
export { isMedicineCabinet } from './watch.store'
export { takeNews } from './tell.store'
