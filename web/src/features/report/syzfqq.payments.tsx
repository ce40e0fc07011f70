import { getPayments, listPayments, paymentRowFields } from '@aisle/contract/report/payments'
import { listPage } from '../../admin/listPage'
import { PaymentSummary } from './paymentSummary'

/** For finance each morning: how customers pay, what each way brings, and what that was made of. */
export default listPage({
  screen: 'home/syzfqq',
  list: listPayments,
  fields: paymentRowFields,
  words: 'report',
  columns: [
    'name',
    'method',
    'orders',
    'paidFen',
    'sharePermille',
    'averageFen',
    'refunds',
    'refundedFen',
    'netFen',
    'beforeFen',
    'changeFen',
  ],
  sortable: { name: 'group', orders: 'orders', paidFen: 'paid', changeFen: 'change' },
  filters: ['period', 'merchantId', 'machineCode'],
  moreFilters: ['method', 'businessType'],
  summary: PaymentSummary,
  live: { topic: 'orders', also: [getPayments] },
  sums: ({ paidFen, refundedFen, netFen }) => ({ paidFen, refundedFen, netFen }),
})
