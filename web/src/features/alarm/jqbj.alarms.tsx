import {
  acknowledgeAlarms,
  type Alarm,
  alarmFields,
  assignAlarms,
  closeAlarms,
  getAlarm,
  listAlarms,
  summariseAlarms,
} from '@aisle/contract/alarm/alarm'
import { alarmState } from '@aisle/contract/alarm/states'
import type { BatchVerb } from '../../admin/batch'
import { listPage } from '../../admin/listPage'
import { AlarmDrawer } from './alarmDrawer'
import { AlarmSummary } from './alarmSummary'
import { AssigneeInput } from './assigneeInput'

// Each with its type said: comparing endpoints with each other takes the checker long.
const acknowledge: BatchVerb<Alarm> = {
  endpoint: acknowledgeAlarms,
  verb: 'acknowledgeAlarms',
  can: ({ state }) => alarmState.can(state, 'acknowledge'),
}
const assign: BatchVerb<Alarm> = {
  endpoint: assignAlarms,
  verb: 'assignAlarms',
  can: ({ state }) => alarmState.can(state, 'assign'),
  inputs: { assigneeId: AssigneeInput },
}
const close: BatchVerb<Alarm> = {
  endpoint: closeAlarms,
  verb: 'closeAlarms',
  tone: 'danger',
  can: ({ state }) => alarmState.can(state, 'close'),
}

/** For whoever keeps machines running, all day: what is wrong, what it costs, who is on it; the worst first. */
export default listPage({
  screen: 'shj/jqbj',
  list: listAlarms,
  fields: alarmFields,
  words: 'alarm',
  columns: [
    'machineCode',
    'cause',
    'detail',
    'level',
    'state',
    'stakeFen',
    'openedAt',
    'machines',
    'slotCode',
    'pointName',
    'assigneeName',
    'merchantName',
    'machineName',
    'seenAt',
    'count',
    'closedAt',
  ],
  hidden: ['merchantName', 'machineName', 'seenAt', 'count', 'closedAt'],
  sortable: { level: 'worst', openedAt: 'newest' },
  filters: ['q', 'level', 'cause', 'state'],
  moreFilters: ['phase', 'assignee', 'period', 'merchantId'],
  presets: [
    { name: 'unseen', query: () => ({ state: 'open' }) },
    { name: 'mine', query: () => ({ assignee: 'me' }) },
    { name: 'closed', query: () => ({ phase: 'closed', sort: 'newest' }) },
  ],
  summary: AlarmSummary,
  sums: ({ alarms, stakeFen }) => ({ alarms, stakeFen }),
  batch: [acknowledge, assign, close],
  drawer: AlarmDrawer,
  live: { kinds: ['alarm', 'repairOrder'], also: [getAlarm, summariseAlarms] as const },
})
