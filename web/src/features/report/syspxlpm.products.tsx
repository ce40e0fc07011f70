import { productRankingFields, rankProducts } from '@aisle/contract/report/ranking'
import { listPage } from '../../admin/listPage'
import { ProductRanking } from './rankingSummary'

/** For a buyer on Monday: what sells most, what lies there, and which way each goes. */
export default listPage({
  screen: 'home/syspxlpm',
  list: rankProducts,
  fields: productRankingFields,
  words: 'report',
  columns: [
    'name',
    'rank',
    'code',
    'standing',
    'quantity',
    'paidFen',
    'sharePermille',
    'beforeFen',
    'changeFen',
    'rankBefore',
    'quantityBefore',
    'refundedFen',
    'netFen',
  ],
  hidden: ['quantityBefore', 'refundedFen', 'netFen'],
  sortable: { quantity: 'quantity', paidFen: 'paid', changeFen: 'change' },
  filters: ['period', 'machineCode', 'merchantId'],
  moreFilters: ['productCode'],
  summary: ProductRanking,
  live: { topic: 'orders', also: [] },
  sums: ({ paidFen, beforeFen, refundedFen, netFen }) => ({ paidFen, beforeFen, refundedFen, netFen }),
})
