import { goodsRankingFields, rankGoods } from '@aisle/contract/report/ranking'
import { CategoryFilter } from '../../shelf/categoryFilter'
import { listPage } from '../../admin/listPage'
import { GoodsRanking } from './rankingSummary'

/** For merchandisers: what of a branch of the range sells, what of it lies still, and what is left to sell. */
export default listPage({
  screen: 'spgl/spxsph',
  list: rankGoods,
  fields: goodsRankingFields,
  words: 'report',
  columns: [
    'name',
    'rank',
    'code',
    'categoryName',
    'standing',
    'quantity',
    'paidFen',
    'sharePermille',
    'beforeFen',
    'changeFen',
    'stock',
    'rankBefore',
    'quantityBefore',
    'refundedFen',
    'netFen',
  ],
  hidden: ['rankBefore', 'quantityBefore', 'refundedFen', 'netFen'],
  sortable: { quantity: 'quantity', paidFen: 'paid', changeFen: 'change' },
  filters: ['period', 'categoryId', 'machineCode', 'merchantId'],
  filterInputs: { categoryId: CategoryFilter },
  moreFilters: ['kind', 'productCode'],
  summary: GoodsRanking,
  live: { topic: 'orders', also: [] },
  sums: ({ paidFen, beforeFen, refundedFen, netFen }) => ({ paidFen, beforeFen, refundedFen, netFen }),
})
