export { type Cleared, clearAlarms, type Raised, raiseAlarms } from './alarm.store'
