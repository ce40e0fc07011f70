import {
  cashCollectionFields,
  getCashCollection,
  listCashCollections,
  summariseCash,
} from '@aisle/contract/field/cashCollection'
import { listPage } from '../../admin/listPage'
import { CashActions } from './cashVerbs'
import { CashDrawer } from './cashDrawer'
import { CashSummary } from './cashSummary'

/** For the cash room, daily, and who answers for it: what is on its way, and what is missing where. */
export default listPage({
  screen: 'cfgl/xjqd',
  list: listCashCollections,
  fields: cashCollectionFields,
  words: 'field',
  columns: [
    'boxNo',
    'state',
    'machineCode',
    'machineName',
    'takenAt',
    'taker',
    'expectedFen',
    'countedFen',
    'differenceFen',
    'counter',
    'merchantName',
    'countedAt',
    'decider',
    'settledAt',
    'note',
  ],
  hidden: ['merchantName', 'countedAt', 'decider', 'settledAt', 'note'],
  filters: ['q', 'state', 'off'],
  moreFilters: ['taken', 'merchantId'],
  presets: [
    { name: 'toCount', query: () => ({ state: 'taken' }) },
    { name: 'toDecide', query: () => ({ state: 'counted' }) },
    { name: 'short', query: () => ({ off: 'short' }) },
  ],
  sums: (sums) => sums,
  summary: CashSummary,
  actions: CashActions,
  drawer: CashDrawer,
  live: { kinds: ['cashCollection', 'visit'], also: [getCashCollection, summariseCash] as const },
})
