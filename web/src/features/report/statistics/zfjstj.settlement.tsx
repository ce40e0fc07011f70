import {
  listPaymentSettlement,
  paymentSettlementFields,
  settlementGroups,
} from '@aisle/contract/report/statistics/settled'
import { statisticsPage } from './statistics'

/** For an accountant, daily: of what customers paid, what went back, what it cost, what is settled and what is open. */
export default statisticsPage({
  screen: 'tjfx/zfjstj',
  list: listPaymentSettlement,
  fields: paymentSettlementFields,
  columns: [
    'name',
    'method',
    'orders',
    'paidFen',
    'refunds',
    'refundedFen',
    'netFen',
    'feeFen',
    'taxFen',
    'splitFen',
    'settledFen',
    'openFen',
    'changeFen',
    'beforeFen',
  ],
  hidden: ['refunds', 'taxFen', 'changeFen', 'beforeFen'],
  sortable: { name: 'group', netFen: 'net', orders: 'orders', feeFen: 'fee', openFen: 'open', changeFen: 'change' },
  filters: ['period', 'method', 'merchantId'],
  moreFilters: ['machineCode'],
  groups: settlementGroups,
  top: 'net',
  bar: 'netFen',
  totals: ['paidFen', 'refundedFen', 'netFen', 'feeFen', 'settledFen', 'openFen'],
  before: { netFen: 'beforeFen' },
  note: 'settled.help',
})
