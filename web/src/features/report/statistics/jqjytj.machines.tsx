import { listMachineTrade, machineTradeFields, machineTradeGroups } from '@aisle/contract/report/statistics/trade'
import { statisticsPage } from './statistics'

/** For whoever answers for machines, weekly: what each sold, gave back and missed; a machine opens its days. */
export default statisticsPage({
  screen: 'tjfx/jqjytj',
  list: listMachineTrade,
  fields: machineTradeFields,
  columns: [
    'name',
    'code',
    'orders',
    'paidFen',
    'refunds',
    'refundedFen',
    'netFen',
    'changeFen',
    'stockOutHours',
    'averageFen',
    'beforeFen',
    'discountFen',
    'offlineOrders',
  ],
  hidden: ['averageFen', 'beforeFen', 'discountFen', 'offlineOrders'],
  sortable: { name: 'group', netFen: 'net', orders: 'orders', refundedFen: 'refunded', changeFen: 'change' },
  filters: ['period', 'machineCode', 'merchantId'],
  moreFilters: ['method', 'businessType'],
  groups: machineTradeGroups,
  top: 'net',
  bar: 'netFen',
  totals: ['orders', 'paidFen', 'refunds', 'refundedFen', 'netFen'],
  before: { netFen: 'beforeFen' },
})
