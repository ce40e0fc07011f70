import { listSubMerchantTrade, subMerchantFields, subMerchantGroups } from '@aisle/contract/report/statistics/settled'
import { statisticsPage } from './statistics'

/** For who has merchants below, monthly: what each branch took, what it paid in fees and tax, and what is settled. */
export default statisticsPage({
  screen: 'cfgl/zshjy',
  list: listSubMerchantTrade,
  fields: subMerchantFields,
  columns: [
    'name',
    'code',
    'orders',
    'paidFen',
    'refundedFen',
    'netFen',
    'channelFeeFen',
    'functionFeeFen',
    'taxFen',
    'splitFen',
    'settledFen',
    'openFen',
    'refunds',
    'changeFen',
    'beforeFen',
  ],
  hidden: ['code', 'refunds', 'beforeFen'],
  sortable: { name: 'group', netFen: 'net', orders: 'orders', openFen: 'open', changeFen: 'change' },
  filters: ['period', 'merchantId', 'method'],
  moreFilters: ['machineCode'],
  groups: subMerchantGroups,
  top: 'net',
  bar: 'netFen',
  totals: ['orders', 'paidFen', 'refundedFen', 'feeFen', 'taxFen', 'settledFen', 'openFen'],
  before: { netFen: 'beforeFen' },
  note: 'settled.help',
})
