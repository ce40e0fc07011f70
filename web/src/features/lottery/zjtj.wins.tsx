import { listWins, summariseWins, winFields } from '@aisle/contract/lottery/statistics'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { WinDrawer } from './winDrawer'
import { WinSummary } from './winSummary'

/** For whoever answers for the odds: whether what was won is what chance explains, and what the prizes cost. */
export default listPage({
  screen: 'jygl/zjtj',
  list: listWins,
  fields: winFields,
  words: 'lottery',
  columns: [
    'code',
    'name',
    'verdict',
    'plays',
    'wins',
    'oddsPermille',
    'ratePermille',
    'leastWins',
    'mostWins',
    'stakeFen',
    'costFen',
    'marginFen',
    'prizeFen',
  ],
  hidden: ['prizeFen'],
  sortable: { plays: 'plays', code: 'name' },
  filters: ['by', 'period', 'verdict'],
  moreFilters: ['q', 'merchantId'],
  presets: [
    { name: 'byProduct', query: () => ({ by: 'product' }) },
    { name: 'byDay', query: () => ({ by: 'day' }) },
    { name: 'outside', query: () => ({ verdict: 'tooMany' }) },
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
  summary: WinSummary,
  sums: ({ stakeFen, costFen, marginFen }) => ({ stakeFen, costFen, marginFen }),
  drawer: WinDrawer,
  live: { topic: 'orders', also: [summariseWins] },
})
