export { clearAlarms, holdAlarms, linkRepair, type Raised, raiseAlarms, TELL_ALARMS } from './alarm.store'
export { watchBatch } from './watch.commands'
export { TEMPERATURE_LOCK } from './watch.store'
export { takeNews } from './tell.store'
