import { getRefund, listRefunds, type Refund, refundFields, summariseRefunds } from '@aisle/contract/refund/refund'
import { refundState } from '@aisle/contract/refund/states'
import { approveRefund, rejectRefund, retryRefund } from '@aisle/contract/refund/verbs'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { RefundDrawer } from './refundDrawer'
import { RefundSummary } from './refundSummary'

const fits =
  (verb: keyof typeof refundState.moves) =>
  ({ state, isPayBackAsked }: Refund): boolean =>
    refundState.can(state, verb) && !isPayBackAsked

/** For finance and operators, ten times a day: what waits for a decision, for a channel, for a person. */
export default listPage({
  screen: 'jygl/tkgl',
  list: listRefunds,
  fields: refundFields,
  words: 'refund',
  columns: [
    'refundNo',
    'state',
    'amountFen',
    'cause',
    'productNames',
    'machineCode',
    'method',
    'orderNo',
    'requestedAt',
    'requestedBy',
    'decidedBy',
    'tries',
    'reason',
    'paidFen',
    'machineName',
    'merchantName',
    'decidedAt',
    'endedAt',
  ],
  hidden: ['tries', 'reason', 'paidFen', 'machineName', 'merchantName', 'decidedAt', 'endedAt'],
  sortable: { requestedAt: 'newest' },
  filters: ['no', 'state', 'machineCode'],
  moreFilters: ['period', 'donePeriod', 'cause', 'method', 'by', 'merchantId'],
  presets: [
    { name: 'review', query: () => ({ state: 'pending_review', sort: 'oldest' }) },
    { name: 'waiting', query: () => ({ state: 'waiting', sort: 'oldest' }) },
    { name: 'mine', query: () => ({ by: 'me' }) },
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'last30Days', query: dayPresets.last30Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
  summary: RefundSummary,
  sums: ({ amountFen, refundedFen }) => ({ amountFen, refundedFen }),
  batch: [
    { endpoint: approveRefund, verb: 'approveRefund', can: fits('approve') },
    { endpoint: rejectRefund, verb: 'rejectRefund', tone: 'danger', can: fits('reject') },
    { endpoint: retryRefund, verb: 'retryRefund', can: fits('retry') },
  ],
  drawer: RefundDrawer,
  live: { kinds: ['refund'], also: [getRefund, summariseRefunds] as const },
})
