import {
  getSplit,
  listSplitReturns,
  listSplits,
  listSplitsByDay,
  listSplitsByReceiver,
  splitFields,
  splitReturnFields,
  splitsByDayFields,
  splitsByReceiverFields,
  tieSplits,
} from '@aisle/contract/settlement/split'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { receiverFilter } from './receiverFilter'
import { SplitDrawer } from './splitDrawer'
import { SplitTie } from './splitTie'

const screen = 'cfgl/fztj'
const words = 'settlement'
const live = { kinds: ['split'], also: [getSplit, tieSplits] as const }
const figures = ['dueFen', 'doneFen', 'failedFen', 'waitingFen', 'releasedFen', 'returnedFen', 'claimFen'] as const
const periods = [
  { name: 'yesterday', query: dayPresets.yesterday },
  { name: 'currentMonth', query: dayPresets.currentMonth },
  { name: 'lastMonth', query: dayPresets.lastMonth },
]

const ByReceiver = listPage({
  screen,
  part: 'byReceiver',
  list: listSplitsByReceiver,
  fields: splitsByReceiverFields,
  words,
  columns: ['receiverName', 'provider', 'account', 'orders', ...figures],
  hidden: ['account'],
  filters: ['period', 'provider'],
  moreFilters: ['merchantId', 'receiverId'],
  filterInputs: receiverFilter,
  presets: periods,
  summary: SplitTie,
  sums: (sums) => sums,
  live,
})

const ByDay = listPage({
  screen,
  part: 'byDay',
  list: listSplitsByDay,
  fields: splitsByDayFields,
  words,
  columns: ['day', 'orders', ...figures],
  filters: ['period', 'provider'],
  moreFilters: ['merchantId', 'receiverId'],
  filterInputs: receiverFilter,
  presets: periods,
  summary: SplitTie,
  sums: (sums) => sums,
  live,
})

const Orders = listPage({
  screen,
  part: 'orders',
  list: listSplits,
  fields: splitFields,
  words,
  columns: [
    'orderNo',
    'businessDay',
    'state',
    'merchantName',
    'provider',
    'paidFen',
    'baseFen',
    ...figures,
    'detail',
    'frozenSince',
    'madeAt',
  ],
  hidden: ['baseFen', 'releasedFen', 'detail', 'frozenSince', 'madeAt'],
  filters: ['period', 'state', 'orderNo'],
  moreFilters: ['provider', 'merchantId', 'receiverId'],
  filterInputs: receiverFilter,
  presets: [{ name: 'toDecide', query: () => ({ state: 'toDecide' }) }, ...periods],
  summary: SplitTie,
  sums: (sums) => sums,
  drawer: SplitDrawer,
  live,
})

const Returns = listPage({
  screen,
  part: 'returns',
  list: listSplitReturns,
  fields: splitReturnFields,
  words,
  columns: [
    'orderNo',
    'receiverName',
    'state',
    'amountFen',
    'settledFen',
    'merchantName',
    'code',
    'reason',
    'madeAt',
    'endedAt',
  ],
  hidden: ['reason', 'endedAt'],
  filters: ['state'],
  moreFilters: ['receiverId'],
  filterInputs: receiverFilter,
  presets: [{ name: 'claimed', query: () => ({ state: 'claimed' }) }],
  sums: (sums) => sums,
  live: { kinds: ['split', 'splitReturn'], also: [] },
})

/** For a treasurer, monthly and when something failed: who got what of which orders, and what is still to be done. */
export default partsPage({
  screen,
  words,
  parts: [
    { key: 'byReceiver', access: listSplitsByReceiver.access, page: ByReceiver },
    { key: 'byDay', access: listSplitsByDay.access, page: ByDay },
    { key: 'orders', access: listSplits.access, page: Orders },
    { key: 'returns', access: listSplitReturns.access, page: Returns },
  ],
})
