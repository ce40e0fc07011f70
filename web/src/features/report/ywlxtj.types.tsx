import { listBusinessTypeSales, salesFields } from '@aisle/contract/report/sales'
import { listPage } from '../../admin/listPage'
import { TypeSummary } from './salesSummary'

/** For a manager: how much is plain sale, pick-up, prescription, play or member's card, and which way each goes. */
export default listPage({
  screen: 'jygl/ywlxtj',
  list: listBusinessTypeSales,
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
    'offlineOrders',
  ],
  hidden: ['code', 'offlineOrders'],
  sortable: { name: 'group', netFen: 'net', orders: 'orders', refundedFen: 'refunded', changeFen: 'change' },
  filters: ['period', 'businessType', 'merchantId'],
  moreFilters: ['machineCode', 'method'],
  summary: TypeSummary,
  sums: ({ paidFen, refundedFen, netFen }) => ({ paidFen, refundedFen, netFen }),
})
