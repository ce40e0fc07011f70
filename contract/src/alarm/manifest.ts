import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as alarmCalls from './alarm'
import * as stockRuleCalls from './stockRule'

export const alarm: Manifest = {
  endpoints: endpointsIn([alarmCalls, stockRuleCalls]),
  exports: [exportable(alarmCalls.listAlarms, alarmCalls.alarmFields, 'alarm', 'shj/jqbj')],
}
