import { productGroups } from '@aisle/contract/report/goods'
import { listProductTrade, productTradeFields } from '@aisle/contract/report/statistics/trade'
import { CategoryFilter } from '../../../shelf/categoryFilter'
import { statisticsPage } from './statistics'

/** For an analyst: which products gained and lost against another time, in pieces, money and margin. */
export default statisticsPage({
  screen: 'tjfx/spjytj',
  list: listProductTrade,
  fields: productTradeFields,
  columns: [
    'name',
    'code',
    'quantity',
    'quantityBefore',
    'netFen',
    'beforeFen',
    'changeFen',
    'marginFen',
    'marginBeforeFen',
    'marginPermille',
    'paidFen',
    'refundedQuantity',
    'refundedFen',
    'costFen',
  ],
  hidden: ['paidFen', 'refundedQuantity', 'refundedFen', 'costFen'],
  sortable: { quantity: 'quantity', netFen: 'net', marginFen: 'margin', refundedFen: 'refunded', changeFen: 'change' },
  filters: ['period', 'productCode', 'categoryId'],
  filterInputs: { categoryId: CategoryFilter },
  moreFilters: ['machineCode', 'merchantId'],
  groups: productGroups,
  top: 'net',
  bar: 'netFen',
  totals: ['quantity', 'paidFen', 'refundedFen', 'netFen', 'marginFen'],
  before: { netFen: 'beforeFen' },
  note: 'margin.help',
})
