import {
  listMerchantPayments,
  merchantPaymentFields,
  merchantPaymentGroups,
} from '@aisle/contract/report/statistics/settled'
import { statisticsPage } from './statistics'

/** For finance and analysts, monthly: what each merchant took by which way of paying, and what that cost. */
export const merchantPaymentsPage = (screen: string) =>
  statisticsPage({
    screen,
    list: listMerchantPayments,
    fields: merchantPaymentFields,
    columns: [
      'name',
      'code',
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
    hidden: ['taxFen', 'openFen', 'beforeFen'],
    sortable: { name: 'group', netFen: 'net', orders: 'orders', feeFen: 'fee', changeFen: 'change' },
    filters: ['period', 'merchantId', 'method'],
    moreFilters: ['machineCode'],
    groups: merchantPaymentGroups,
    top: 'net',
    bar: 'netFen',
    totals: ['orders', 'paidFen', 'refundedFen', 'netFen', 'feeFen', 'settledFen'],
    before: { netFen: 'beforeFen' },
    note: 'settled.help',
  })
