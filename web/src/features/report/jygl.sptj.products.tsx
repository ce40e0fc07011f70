import { listProductSales, productSalesFields } from '@aisle/contract/report/goods'
import { listPage } from '../../admin/listPage'
import { ProductSummary } from './goodsSummary'

/** For a buyer: what sells, where, and what is earned with it; a product opens its machines, a machine its products. */
export default listPage({
  screen: 'jygl/sptj',
  list: listProductSales,
  fields: productSalesFields,
  words: 'report',
  columns: [
    'name',
    'code',
    'quantity',
    'paidFen',
    'refundedFen',
    'netFen',
    'costFen',
    'marginFen',
    'marginPermille',
    'changeFen',
    'refundedQuantity',
    'beforeFen',
  ],
  hidden: ['refundedQuantity', 'beforeFen'],
  sortable: { quantity: 'quantity', netFen: 'net', marginFen: 'margin', refundedFen: 'refunded', changeFen: 'change' },
  filters: ['period', 'productCode', 'machineCode'],
  moreFilters: ['merchantId'],
  summary: ProductSummary,
  sums: ({ paidFen, refundedFen, netFen, costFen, marginFen }) => ({
    paidFen,
    refundedFen,
    netFen,
    costFen,
    marginFen,
  }),
})
