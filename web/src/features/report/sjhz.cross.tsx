import { crossFields, listCrossSummary } from '@aisle/contract/report/goods'
import { listPage } from '../../admin/listPage'
import { CrossSummary } from './goodsSummary'

/** For whoever runs the business: what was sold, went back, was filled in and lies there, on one line. */
export default listPage({
  screen: 'jygl/sjhz',
  list: listCrossSummary,
  fields: crossFields,
  words: 'report',
  columns: [
    'name',
    'code',
    'quantity',
    'paidFen',
    'refundedFen',
    'netFen',
    'filledUnits',
    'removedUnits',
    'stockUnits',
    'stockFen',
    'refundedQuantity',
  ],
  hidden: ['refundedQuantity'],
  sortable: { quantity: 'quantity', netFen: 'net', stockFen: 'stock' },
  filters: ['period', 'merchantId', 'machineCode'],
  moreFilters: ['productCode'],
  summary: CrossSummary,
  sums: ({ paidFen, refundedFen, netFen, stockFen }) => ({ paidFen, refundedFen, netFen, stockFen }),
})
