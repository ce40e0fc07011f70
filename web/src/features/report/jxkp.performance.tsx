import { listPerformance, performanceFields } from '@aisle/contract/report/performance'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'

/** For a merchant's manager once a month: whose machines stood empty, and who fills them as counted. */
export default listPage({
  screen: 'xtgl/jxkp',
  list: listPerformance,
  fields: performanceFields,
  words: 'report',
  columns: [
    'displayName',
    'roles',
    'machineCount',
    'stockOutMinutesPerDay',
    'stockOutHours',
    'fillCount',
    'filledUnits',
    'correctedPermille',
    'repairHours',
    'repairCount',
    'lastFilledAt',
    'orderCount',
    'paidFen',
    'account',
    'merchantName',
  ],
  hidden: ['repairCount', 'account', 'merchantName'],
  filters: ['q', 'period'],
  presets: [
    { name: 'last30Days', query: () => ({}) },
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'currentMonth', query: dayPresets.currentMonth },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
})
