import { getProblem, listProblems, problemFields, summariseProblems } from '@aisle/contract/refund/problem'
import { getRefund, listRefunds } from '@aisle/contract/refund/refund'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { getUnclaimed, listUnclaimed, unclaimedFields } from '@aisle/contract/refund/unclaimed'
import { UnclaimedDrawer } from './unclaimedDrawer'
import { ProblemDrawer } from './problemDrawer'
import { ProblemSummary } from './problemSummary'

const screen = 'cfgl/wtddgl'
const words = 'refund'

const Problems = listPage({
  screen,
  part: 'problems',
  list: listProblems,
  fields: problemFields,
  words,
  columns: [
    'orderNo',
    'kind',
    'state',
    'openedAt',
    'productNames',
    'paidFen',
    'heldFen',
    'machineCode',
    'method',
    'outcome',
    'closedBy',
    'closedAt',
    'reason',
    'refundedFen',
    'askedBy',
    'machineName',
    'merchantName',
  ],
  hidden: ['outcome', 'closedBy', 'closedAt', 'reason', 'refundedFen', 'askedBy', 'machineName', 'merchantName'],
  sortable: { openedAt: 'oldest' },
  filters: ['orderNo', 'kind', 'machineCode'],
  moreFilters: ['state', 'period', 'merchantId'],
  presets: [
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
    { name: 'closed', query: () => ({ state: 'closed', sort: 'newest' }) },
  ],
  summary: ProblemSummary,
  sums: ({ paidFen, heldFen, refundedFen }) => ({ paidFen, heldFen, refundedFen }),
  drawer: ProblemDrawer,
  live: { kinds: ['problem', 'refund'], also: [getProblem, summariseProblems, listRefunds, getRefund] as const },
})

const Unclaimed = listPage({
  screen,
  part: 'unclaimed',
  list: listUnclaimed,
  fields: unclaimedFields,
  words,
  columns: [
    'channelNo',
    'cause',
    'state',
    'unclaimedFen',
    'provider',
    'paidAt',
    'notedAt',
    'accountName',
    'attemptNo',
    'decision',
    'orderNo',
    'decidedBy',
    'askedBy',
    'reason',
    'merchantName',
    'endedAt',
  ],
  hidden: ['attemptNo', 'decision', 'orderNo', 'decidedBy', 'askedBy', 'reason', 'merchantName', 'endedAt'],
  sortable: { notedAt: 'oldest' },
  filters: ['no', 'cause', 'provider'],
  moreFilters: ['state', 'period', 'merchantId'],
  presets: [
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
    { name: 'refunded', query: () => ({ state: 'refunded', sort: 'newest' }) },
  ],
  sums: ({ unclaimedFen }) => ({ unclaimedFen }),
  drawer: UnclaimedDrawer,
  live: { kinds: ['unclaimedPayment', 'refund'], also: [getUnclaimed] as const },
})

/**
 * Orders of which something is wrong, until the money is back, the goods are out, or somebody says why neither; and
 * money that no order explains.
 */
export default partsPage({
  screen,
  words,
  parts: [
    { key: 'problems', access: listProblems.access, page: Problems },
    { key: 'unclaimed', access: listUnclaimed.access, page: Unclaimed },
  ],
})
