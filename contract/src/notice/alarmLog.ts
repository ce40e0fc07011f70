import { listEndpoint } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { listPushMessages, messageFilters, pushMessageFields } from './push'

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

export const alarmLogFields = pushMessageFields satisfies Fields
