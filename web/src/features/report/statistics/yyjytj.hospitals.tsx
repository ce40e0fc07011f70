import { hospitalTradeFields, hospitalTradeGroups, listHospitalTrade } from '@aisle/contract/report/statistics/trade'
import { statisticsPage } from './statistics'

/** For a hospital and whoever serves it, monthly: what was sold in each house and building, and by which machines. */
export default statisticsPage({
  screen: 'tjfx/yyjytj',
  list: listHospitalTrade,
  fields: hospitalTradeFields,
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
  ],
  hidden: ['averageFen', 'beforeFen'],
  sortable: { name: 'group', netFen: 'net', orders: 'orders', refundedFen: 'refunded', changeFen: 'change' },
  filters: ['period', 'machineCode', 'merchantId'],
  moreFilters: ['method', 'businessType'],
  groups: hospitalTradeGroups,
  top: 'net',
  bar: 'netFen',
  totals: ['orders', 'paidFen', 'refunds', 'refundedFen', 'netFen'],
  before: { netFen: 'beforeFen' },
  opens: false,
  note: 'hospital.help',
})
