import { listSettledItems, settledItemFields, tieSettlements } from '@aisle/contract/settlement/batch'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { BatchTie } from './batchTie'

/** For finance at the end of a month: every settled order and refund of a period, tied to the ledger. */
export default listPage({
  screen: 'cfgl/jyjsmx',
  list: listSettledItems,
  fields: settledItemFields,
  words: 'settlement',
  columns: [
    'orderNo',
    'refundNo',
    'businessDay',
    'merchantName',
    'method',
    'totalFen',
    'discountFen',
    'grossFen',
    'refundFen',
    'channelFeeFen',
    'functionFeeFen',
    'taxFen',
    'splitFen',
    'netFen',
    'settledAt',
    'occurredAt',
  ],
  hidden: ['occurredAt'],
  filters: ['period', 'method', 'merchantId'],
  presets: [
    { name: 'yesterday', query: dayPresets.yesterday },
    { name: 'currentMonth', query: dayPresets.currentMonth },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
  summary: BatchTie,
  sums: (sums) => sums,
  live: { kinds: ['settlementRun'], also: [tieSettlements] },
})
