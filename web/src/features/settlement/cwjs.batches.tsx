import {
  disputeFields,
  getDispute,
  getSettlement,
  listDisputes,
  listSettledItems,
  tieSettlements,
} from '@aisle/contract/settlement/batch'
import { listSettlements, settlementFields } from '@aisle/contract/settlement/books'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { BatchDrawer } from './batchDrawer'
import { BatchTie } from './batchTie'
import { DisputeDrawer } from './disputeDrawer'

const screen = 'cwgl/cwjs'
const words = 'settlement'

const Batches = listPage({
  screen,
  part: 'batches',
  list: listSettlements,
  fields: settlementFields,
  words,
  columns: [
    'businessDay',
    'merchantName',
    'method',
    'state',
    'orders',
    'grossFen',
    'refundFen',
    'channelFeeFen',
    'functionFeeFen',
    'taxFen',
    'splitFen',
    'netFen',
    'light',
    'disputes',
    'fundsMode',
    'refunds',
    'postedAt',
  ],
  hidden: ['refunds', 'postedAt'],
  filters: ['period', 'method', 'state', 'merchantId'],
  presets: [
    { name: 'toConfirm', query: () => ({ state: 'open' }) },
    { name: 'disputed', query: () => ({ state: 'disputed' }) },
    { name: 'last30Days', query: dayPresets.last30Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
  summary: BatchTie,
  sums: (sums) => sums,
  drawer: BatchDrawer,
  live: {
    kinds: ['settlement', 'settlementDispute', 'settlementRun'],
    also: [getSettlement, listSettledItems, listDisputes, tieSettlements] as const,
  },
})

const Disputes = listPage({
  screen,
  part: 'disputes',
  list: listDisputes,
  fields: disputeFields,
  words,
  columns: [
    'orderNo',
    'state',
    'amountFen',
    'reason',
    'merchantName',
    'businessDay',
    'method',
    'raisedBy',
    'raisedAt',
    'answer',
    'correction',
    'answeredBy',
    'answeredAt',
  ],
  hidden: ['method', 'correction', 'answeredBy', 'answeredAt'],
  filters: ['state', 'orderNo', 'merchantId'],
  presets: [{ name: 'toAnswer', query: () => ({ state: 'toAnswer', sort: 'oldest' }) }],
  drawer: DisputeDrawer,
  live: { kinds: ['settlementDispute'], also: [getDispute] as const },
})

/** For finance: what each merchant was settled, whether it agrees, and which orders it disputes. */
export default partsPage({
  screen,
  words,
  parts: [
    { key: 'batches', access: listSettlements.access, page: Batches },
    { key: 'disputes', access: listDisputes.access, page: Disputes },
  ],
})
