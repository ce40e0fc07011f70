import { getSystemAlarm, listSystemAlarms, systemAlarmFields } from '@aisle/contract/audit/systemAlarm'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { SystemAlarmDrawer } from './systemAlarmDrawer'

/**
 * For whoever runs the platform, when something is wrong with it and not with a machine:
 * what, since when, who is on it.
 */
export default listPage({
  screen: 'xtgl/xtbjjl',
  list: listSystemAlarms,
  fields: systemAlarmFields,
  words: 'audit',
  columns: ['kind', 'state', 'cause', 'openedAt', 'seenAt', 'closedAt', 'acknowledgedBy'],
  filters: ['kind', 'state', 'period'],
  presets: [
    { name: 'open', query: () => ({ state: 'open' }) },
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
  drawer: SystemAlarmDrawer,
  live: { kinds: ['systemAlarm'], also: [getSystemAlarm] },
})
