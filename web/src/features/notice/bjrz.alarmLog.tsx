import { alarmLogFields, listAlarmLog } from '@aisle/contract/notice/alarmLog'
import { listPage } from '../../admin/listPage'
import { AlarmDrawer } from './messageDrawer'

/** For whoever answers for alarms, after one: was anybody told, by which way, and did it arrive. */
export default listPage({
  screen: 'xtgl/bjrz',
  list: listAlarmLog,
  fields: alarmLogFields,
  words: 'notice',
  columns: [
    'title',
    'typeLabel',
    'channel',
    'receiverName',
    'receiver',
    'state',
    'createdAt',
    'sentAt',
    'readAt',
    'merchantName',
    'error',
  ],
  hidden: ['merchantName', 'error'],
  filters: ['q', 'state', 'channel'],
  moreFilters: ['period'],
  presets: [
    { name: 'notArrived', query: () => ({ state: 'failed' }) },
    { name: 'held', query: () => ({ state: 'held' }) },
    { name: 'today', query: (today) => ({ from: today, to: today }) },
  ],
  drawer: AlarmDrawer,
  live: { kinds: ['pushMessage', 'systemAlarm'], also: [] },
})
