import { getSealState, listLogs, logFields } from '@aisle/contract/audit/log'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { LogDrawer } from './logDrawer'
import { SealSummary } from './sealSummary'

/**
 * For an administrator after something went wrong, and for the auditor once a quarter:
 * who did this, and is it whole?
 */
export default listPage({
  screen: 'xtgl/rzgl',
  list: listLogs,
  fields: logFields,
  words: 'audit',
  columns: [
    'at',
    'action',
    'account',
    'displayName',
    'objectKind',
    'objectId',
    'outcome',
    'merchantName',
    'ip',
    'kind',
  ],
  hidden: ['kind'],
  filters: ['account', 'objectId', 'period'],
  moreFilters: ['kind', 'outcome', 'ip', 'merchantId'],
  presets: [
    { name: 'operations', query: () => ({ kind: 'operation' }) },
    { name: 'signIns', query: () => ({ kind: 'signIn' }) },
    { name: 'failedSignIns', query: () => ({ kind: 'signIn', outcome: 'wrong' }) },
    { name: 'today', query: dayPresets.today },
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
  summary: SealSummary,
  drawer: LogDrawer,
  live: { topic: 'changes', also: [getSealState] },
})
