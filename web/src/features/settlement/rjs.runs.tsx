import {
  accountFields,
  bookDayFields,
  getAccount,
  getTrialBalance,
  listAccounts,
  listBookDays,
  listSettlements,
  settlementFields,
} from '@aisle/contract/settlement/books'
import { listPayouts } from '@aisle/contract/settlement/bank'
import { differenceFields, getDifference, listDifferences } from '@aisle/contract/settlement/difference'
import { getRun, listRuns, runFields, summariseRuns } from '@aisle/contract/settlement/run'
import { dayBefore } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { AccountDrawer } from './accountDrawer'
import { DifferenceDrawer } from './differenceDrawer'
import { payoutList } from './payoutList'
import { RunDrawer } from './runDrawer'
import { RunSummary } from './runSummary'
import { TrialBalance } from './trialBalance'

const screen = 'xtgl/rjs'
const words = 'settlement'

const Runs = listPage({
  screen,
  part: 'runs',
  list: listRuns,
  fields: runFields,
  words,
  columns: [
    'day',
    'provider',
    'light',
    'state',
    'ourFen',
    'theirFen',
    'refundFen',
    'feeFen',
    'netFen',
    'openCount',
    'waitingCount',
    'merchantName',
    'ourCount',
    'theirCount',
    'channelNo',
    'fundsMode',
    'matchedAt',
    'closedAt',
  ],
  hidden: ['ourCount', 'theirCount', 'channelNo', 'matchedAt', 'closedAt'],
  filters: ['period', 'provider', 'light', 'state'],
  moreFilters: ['merchantId'],
  presets: [
    { name: 'red', query: () => ({ light: 'red' }) },
    { name: 'toClose', query: () => ({ state: 'closing' }) },
    { name: 'lastWeek', query: (today) => ({ from: dayBefore(today, 7), to: dayBefore(today, 1) }) },
  ],
  sums: (sums) => sums,
  summary: RunSummary,
  drawer: RunDrawer,
  live: { kinds: ['settlementRun', 'settlementDifference'], also: [getRun, summariseRuns] as const },
})

const Differences = listPage({
  screen,
  part: 'differences',
  list: listDifferences,
  fields: differenceFields,
  words,
  columns: [
    'kind',
    'state',
    'day',
    'provider',
    'ourFen',
    'theirFen',
    'gapFen',
    'orderNo',
    'ownerName',
    'decision',
    'merchantName',
    'createdAt',
    'id',
  ],
  hidden: ['merchantName', 'createdAt', 'id'],
  sortable: { createdAt: 'newest' },
  filters: ['state', 'kind', 'provider'],
  moreFilters: ['orderNo', 'owner', 'merchantId'],
  presets: [
    { name: 'undecided', query: () => ({ state: 'any_open' }) },
    { name: 'toApprove', query: () => ({ state: 'proposed' }) },
    { name: 'mine', query: () => ({ owner: 'me' }) },
  ],
  drawer: DifferenceDrawer,
  live: { kinds: ['settlementDifference'], also: [getDifference] as const },
})

const Settlements = listPage({
  screen,
  part: 'settlements',
  list: listSettlements,
  fields: settlementFields,
  words,
  columns: [
    'businessDay',
    'merchantName',
    'method',
    'orders',
    'grossFen',
    'refundFen',
    'channelFeeFen',
    'functionFeeFen',
    'taxFen',
    'splitFen',
    'netFen',
    'fundsMode',
    'refunds',
    'postedAt',
  ],
  hidden: ['refunds', 'taxFen', 'splitFen'],
  filters: ['period', 'method'],
  moreFilters: ['merchantId'],
  sums: (sums) => sums,
  live: { kinds: ['settlementRun'], also: [] },
})

const Accounts = listPage({
  screen,
  part: 'accounts',
  list: listAccounts,
  fields: accountFields,
  words,
  columns: ['kind', 'key', 'merchantName', 'shownFen', 'side', 'lastAt'],
  sortable: { kind: 'kind', shownFen: 'largest' },
  filters: ['kind', 'key', 'balance'],
  moreFilters: ['merchantId'],
  presets: [
    { name: 'notZero', query: () => ({ balance: 'not_zero' }) },
    { name: 'suspense', query: () => ({ kind: 'suspense' }) },
  ],
  sums: (sums) => sums,
  summary: TrialBalance,
  drawer: AccountDrawer,
  live: { kinds: ['settlementRun', 'settlementDifference'], also: [getAccount, getTrialBalance] as const },
})

const Days = listPage({
  screen,
  part: 'days',
  list: listBookDays,
  fields: bookDayFields,
  words,
  columns: ['day', 'entries', 'debitFen', 'hash', 'closedAt', 'sealedAt'],
  filters: ['period'],
})

const Payouts = listPage({ screen, part: 'payouts', ...payoutList })

/** For finance, each morning: do our books equal the channels' files, what differs, and may the day be closed. */
export default partsPage({
  screen,
  words,
  parts: [
    { key: 'runs', access: listRuns.access, page: Runs },
    { key: 'differences', access: listDifferences.access, page: Differences },
    { key: 'payouts', access: listPayouts.access, page: Payouts },
    { key: 'settlements', access: listSettlements.access, page: Settlements },
    { key: 'accounts', access: listAccounts.access, page: Accounts },
    { key: 'days', access: listBookDays.access, page: Days },
  ],
})
