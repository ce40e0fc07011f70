import { withdrawalState } from '@aisle/contract/funds/states'
import {
  approveWithdrawal,
  getFunds,
  getWithdrawal,
  listWithdrawals,
  summariseWithdrawals,
  withdrawalFields,
} from '@aisle/contract/funds/withdrawal'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { WithdrawalDrawer } from './withdrawalDrawer'
import { WithdrawalSummary } from './withdrawalSummary'
import { WithdrawalPageVerbs } from './withdrawalVerbs'

/** For a merchant's finance, once a week: what can be had and where it is; for the platform's, daily: what waits. */
export const Withdrawals = listPage({
  screen: 'cfgl/txgl',
  part: 'withdrawals',
  list: listWithdrawals,
  fields: withdrawalFields,
  words: 'funds',
  columns: [
    'no',
    'state',
    'amountFen',
    'feeFen',
    'merchantName',
    'requestedAt',
    'dueOn',
    'paidAt',
    'account',
    'bank',
    'requestedBy',
    'approvedBy',
    'totalFen',
    'fundsMode',
    'finalOn',
    'bankNo',
  ],
  hidden: ['bank', 'requestedBy', 'approvedBy', 'totalFen', 'fundsMode', 'finalOn', 'bankNo'],
  sortable: { requestedAt: 'newest' },
  filters: ['no', 'state', 'merchantId'],
  moreFilters: ['period'],
  presets: [
    { name: 'toDecide', query: () => ({ state: 'toDecide', sort: 'oldest' }) },
    { name: 'waiting', query: () => ({ state: 'waiting', sort: 'oldest' }) },
    { name: 'inTransit', query: () => ({ state: 'inTransit' }) },
    { name: 'last30Days', query: dayPresets.last30Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
  summary: WithdrawalSummary,
  sums: ({ amountFen, feeFen, paidFen }) => ({ amountFen, feeFen, paidFen }),
  actions: WithdrawalPageVerbs,
  batch: [
    {
      endpoint: approveWithdrawal,
      verb: 'approveWithdrawal',
      can: ({ state }) => withdrawalState.can(state, 'approve'),
    },
  ],
  drawer: WithdrawalDrawer,
  live: { kinds: ['withdrawal'], also: [getWithdrawal, summariseWithdrawals, getFunds] as const },
})
