import { getCodePlan, listCodePlans } from '@aisle/contract/promotion/code'
import { getCode, listCodes, voucherFields } from '@aisle/contract/promotion/voucher'
import { listPage } from '../../admin/listPage'
import { GivenFilter, pickFilter } from '../../shelf/pickFilters'
import { live } from './voucherCalls'
import { CodeDrawer } from './voucherDrawer'

const PlanFilter = pickFilter({
  list: listCodePlans,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
  get: getCodePlan,
  wordOf: ({ name }) => name,
})

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
  filterInputs: { planId: PlanFilter, batchId: GivenFilter },
  presets: [
    { name: 'unused', query: () => ({ state: 'unused' }) },
    { name: 'used', query: () => ({ state: 'used' }) },
  ],
  drawer: CodeDrawer,
  live: { ...live, also: [getCode] as const },
})
