import { listPointTrade, pointTradeFields, pointTradeGroups } from '@aisle/contract/report/statistics/point'
import { statisticsPage } from './statistics'

/** For whoever rents places, before a contract runs on: which earn their rent, and which never will. */
export default statisticsPage({
  screen: 'tjfx/dwjytj',
  list: listPointTrade,
  fields: pointTradeFields,
  columns: [
    'name',
    'code',
    'orders',
    'netFen',
    'changeFen',
    'costFen',
    'marginFen',
    'rentFen',
    'profitFen',
    'profitPermille',
    'paidFen',
    'refundedFen',
    'beforeFen',
  ],
  hidden: ['code', 'paidFen', 'refundedFen', 'beforeFen'],
  sortable: { name: 'group', netFen: 'net', rentFen: 'rent', profitFen: 'profit', changeFen: 'change' },
  filters: ['period', 'pointKind', 'merchantId'],
  moreFilters: ['machineCode'],
  presets: [{ name: 'losing', query: () => ({ sort: 'profitLeast' }) }],
  groups: pointTradeGroups,
  top: 'profit',
  bar: 'netFen',
  totals: ['netFen', 'costFen', 'marginFen', 'rentFen', 'profitFen'],
  before: { netFen: 'beforeFen' },
  note: 'point.help',
})
