import { getTransaction, listTransactions, transactionFields } from '@aisle/contract/settlement/transaction'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { TransactionDrawer } from './transactionDrawer'

/** For staff who were given one number: was it settled, when, at what, and where is the money. */
export default listPage({
  screen: 'cwgl/jyjs',
  list: listTransactions,
  fields: transactionFields,
  words: 'settlement',
  columns: [
    'orderNo',
    'settled',
    'occurredAt',
    'merchantName',
    'method',
    'totalFen',
    'discountFen',
    'paidFen',
    'refundedFen',
    'channelFeeFen',
    'functionFeeFen',
    'taxFen',
    'splitFen',
    'netFen',
    'settledAt',
    'businessDay',
  ],
  hidden: ['businessDay'],
  filters: ['orderNo', 'settled', 'period'],
  moreFilters: ['method', 'merchantId'],
  presets: [
    { name: 'toSettle', query: () => ({ settled: 'waiting' }) },
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
  sums: ({ paidFen, discountFen, refundedFen }) => ({ paidFen, discountFen, refundedFen }),
  drawer: TransactionDrawer,
  live: { kinds: ['settlementRun'], also: [getTransaction] },
})
