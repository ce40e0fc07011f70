import { rankRunners, runnerRankingFields } from '@aisle/contract/report/ranking'
import { listPage } from '../../admin/listPage'
import { RunnerRanking } from './rankingSummary'

/** For a merchant with several operators or hospitals: who sells how much, with how many machines. */
export default listPage({
  screen: 'home/syyyxlpm',
  list: rankRunners,
  fields: runnerRankingFields,
  words: 'report',
  columns: [
    'name',
    'rank',
    'standing',
    'machineCount',
    'orders',
    'paidFen',
    'sharePermille',
    'beforeFen',
    'changeFen',
    'rankBefore',
    'ordersBefore',
    'refundedFen',
    'netFen',
  ],
  hidden: ['ordersBefore', 'refundedFen', 'netFen'],
  sortable: { orders: 'orders', paidFen: 'paid', changeFen: 'change' },
  filters: ['period', 'merchantId', 'machineCode'],
  moreFilters: ['method', 'businessType'],
  summary: RunnerRanking,
  live: { topic: 'orders', also: [] },
  sums: ({ paidFen, beforeFen, refundedFen, netFen }) => ({ paidFen, beforeFen, refundedFen, netFen }),
})
