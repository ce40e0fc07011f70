import {
  listPurchaseStatistics,
  purchaseGroups,
  purchaseStatisticsFields,
} from '@aisle/contract/report/statistics/purchase'
import { statisticsPage } from './statistics'

/** For a buyer before the next talk with a supplier: how much came, what went back, and which way the price moved. */
export default statisticsPage({
  screen: 'tjfx/cgtj',
  list: listPurchaseStatistics,
  fields: purchaseStatisticsFields,
  columns: [
    'name',
    'code',
    'receipts',
    'pieces',
    'amountFen',
    'returnedFen',
    'boughtFen',
    'changeFen',
    'pieceFen',
    'pieceBeforeFen',
    'lowestFen',
    'highestFen',
    'returnedPieces',
    'beforeFen',
  ],
  hidden: ['returnedPieces', 'beforeFen'],
  sortable: {
    name: 'group',
    pieces: 'pieces',
    returnedFen: 'returned',
    boughtFen: 'bought',
    changeFen: 'change',
  },
  filters: ['period', 'productCode', 'merchantId'],
  groups: purchaseGroups,
  top: 'bought',
  bar: 'boughtFen',
  totals: ['receipts', 'pieces', 'amountFen', 'returnedFen', 'boughtFen'],
  before: { boughtFen: 'beforeFen' },
  opens: false,
  note: 'purchase.help',
})
