import {
  listVoucherStatistics,
  voucherGroups,
  voucherStatisticsFields,
} from '@aisle/contract/report/statistics/voucher'
import { statisticsPage } from './statistics'

/** For marketing after an offer: how many were given out and used, what they gave away and what was sold with them. */
export default statisticsPage({
  screen: 'tjfx/yhqtj',
  list: listVoucherStatistics,
  fields: voucherStatisticsFields,
  columns: [
    'name',
    'code',
    'issued',
    'used',
    'expired',
    'givenFen',
    'salesFen',
    'changeFen',
    'averageFen',
    'givenPermille',
    'beforeFen',
  ],
  hidden: ['code', 'beforeFen'],
  sortable: { name: 'group', used: 'used', givenFen: 'given', salesFen: 'sales', changeFen: 'change' },
  filters: ['period', 'voucherKind', 'merchantId'],
  groups: voucherGroups,
  top: 'sales',
  bar: 'salesFen',
  totals: ['issued', 'used', 'expired', 'givenFen', 'salesFen'],
  before: { salesFen: 'beforeFen' },
  note: 'voucher.help',
})
