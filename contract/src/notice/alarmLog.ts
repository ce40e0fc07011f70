import { endpoint, listEndpoint } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { getPushMessage, listPushMessages, messageFilters, pushMessageFields } from './push'

/** Alarm messages are the messages whose type begins with `alarm.`: who was told, how, and whether it arrived. */
const { q, channel, state, from, to } = messageFilters

export const listAlarmLog = listEndpoint({
  name: 'notice.listAlarmLog',
  path: '/api/alarm-log',
  access: 'alarmLog.read',
  summary: 'Alarm messages to people of merchants in sight, newest first',
  filters: { q, channel, state, from, to },
  sorts: ['newest'],
  item: listPushMessages.item,
})

/** For whoever may read the alarm log and not all that is sent. */
export const getAlarmMessage = endpoint({
  name: 'notice.getAlarmMessage',
  method: 'GET',
  path: '/api/alarm-log/{id}',
  access: 'alarmLog.read',
  input: getPushMessage.input,
  output: getPushMessage.output,
  refusals: ['request.notFound'],
  summary: 'One alarm message with its tries; any other message is not found',
})

export const alarmLogFields = pushMessageFields satisfies Fields
