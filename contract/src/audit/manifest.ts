import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as logCalls from './log'
import * as systemAlarmCalls from './systemAlarm'

export const audit: Manifest = {
  endpoints: endpointsIn([logCalls, systemAlarmCalls]),
  exports: [
    exportable(logCalls.listLogs, logCalls.logFields, 'audit', 'xtgl/rzgl'),
    exportable(systemAlarmCalls.listSystemAlarms, systemAlarmCalls.systemAlarmFields, 'audit', 'xtgl/xtbjjl'),
  ],
}
