import { machineRankingFields, rankMachines } from '@aisle/contract/report/ranking'
import { listPage } from '../../admin/listPage'
import { MachineRanking } from './rankingSummary'

/** For whoever decides where machines stand: which earn their place, which stood empty, which sell nothing. */
export default listPage({
  screen: 'home/syjqpm',
  list: rankMachines,
  fields: machineRankingFields,
  words: 'report',
  columns: [
    'name',
    'rank',
    'code',
    'pointName',
    'standing',
    'orders',
    'paidFen',
    'sharePermille',
    'changeFen',
    'stockOutHours',
    'operatorName',
    'rankBefore',
    'beforeFen',
    'ordersBefore',
    'refundedFen',
    'netFen',
  ],
  hidden: ['rankBefore', 'beforeFen', 'ordersBefore', 'refundedFen', 'netFen'],
  sortable: { orders: 'orders', paidFen: 'paid', changeFen: 'change' },
  filters: ['period', 'merchantId', 'machineCode'],
  moreFilters: ['method', 'businessType'],
  summary: MachineRanking,
  live: { topic: 'orders', also: [] },
  sums: ({ paidFen, beforeFen, refundedFen, netFen }) => ({ paidFen, beforeFen, refundedFen, netFen }),
})
