import { getCodePlan, listCodePlans } from '@aisle/contract/promotion/code'
import { voucherPlanFields } from '@aisle/contract/promotion/voucherPlan'
import { listPage } from '../../admin/listPage'
import { live } from './voucherCalls'
import { CodePlanDrawer } from './voucherPlanDrawer'
import { AddCodePlan } from './voucherPlanVerbs'

/** For merchandisers: which codes there are, how many are out, and what came of them. */
export default listPage({
  screen: 'yxch/yhmgl',
  list: listCodePlans,
  fields: voucherPlanFields,
  words: 'promotion',
  columns: [
    'name',
    'state',
    'marks',
    'kind',
    'leastFen',
    'amountFen',
    'paidPercent',
    'issued',
    'used',
    'expired',
    'cancelled',
    'givenFen',
    'salesFen',
    'startsOn',
    'endsOn',
    'usesPerCode',
    'perMember',
    'priority',
    'stacks',
    'isReturned',
    'merchantName',
    'createdBy',
    'createdAt',
  ],
  hidden: ['cancelled', 'startsOn', 'perMember', 'priority', 'stacks', 'isReturned', 'merchantName', 'createdBy'],
  sortable: { createdAt: 'newest' },
  filters: ['q', 'state', 'kind'],
  moreFilters: ['merchantId'],
  presets: [
    { name: 'listed', query: () => ({ state: 'listed' }) },
    { name: 'toList', query: () => ({ state: 'not_listed' }) },
  ],
  actions: AddCodePlan,
  drawer: CodePlanDrawer,
  live: { ...live, also: [getCodePlan] as const },
})
