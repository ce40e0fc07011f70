import { getCode, listCodes, voucherFields } from '@aisle/contract/promotion/voucher'
import { listPage } from '../../admin/listPage'
import { live } from './voucherCalls'
import { CodeDrawer } from './voucherDrawer'

/** For service and bookkeeping: how a promotion code stands, how often it was used, and with which orders. */
export default listPage({
  screen: 'yxch/yhmmx',
  list: listCodes,
  fields: voucherFields,
  words: 'promotion',
  columns: [
    'tail',
    'planName',
    'state',
    'uses',
    'usesAllowed',
    'orderNo',
    'givenFen',
    'usedAt',
    'expiresAt',
    'validFrom',
    'createdAt',
    'batchId',
    'merchantName',
  ],
  hidden: ['validFrom', 'batchId', 'merchantName'],
  sortable: { createdAt: 'newest' },
  filters: ['tail', 'state'],
  moreFilters: ['planId', 'batchId', 'merchantId'],
  presets: [
    { name: 'unused', query: () => ({ state: 'unused' }) },
    { name: 'used', query: () => ({ state: 'used' }) },
  ],
  drawer: CodeDrawer,
  live: { ...live, also: [getCode] as const },
})
