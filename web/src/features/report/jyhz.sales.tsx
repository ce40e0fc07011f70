import { listSalesSummary, salesFields } from '@aisle/contract/report/sales'
import { listPage } from '../../admin/listPage'
import { SalesSummary } from './salesSummary'

/** For an accountant at month's end: what came in, what went back, what is left, by day, machine, merchant or point. */
export default listPage({
  screen: 'jygl/jyhz',
  list: listSalesSummary,
  fields: salesFields,
  words: 'report',
  columns: [
    'name',
    'code',
    'orders',
    'paidFen',
    'refunds',
    'refundedFen',
    'netFen',
    'averageFen',
    'beforeFen',
    'changeFen',
    'discountFen',
    'offlineOrders',
  ],
  hidden: ['discountFen', 'offlineOrders'],
  sortable: { name: 'group', netFen: 'net', orders: 'orders', refundedFen: 'refunded', changeFen: 'change' },
  filters: ['period', 'merchantId', 'machineCode'],
  moreFilters: ['method', 'businessType'],
  summary: SalesSummary,
  sums: ({ paidFen, refundedFen, netFen }) => ({ paidFen, refundedFen, netFen }),
})
