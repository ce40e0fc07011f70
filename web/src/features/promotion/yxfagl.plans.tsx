import { getPlan, listPlans, planFields } from '@aisle/contract/promotion/plan'
import { listPage } from '../../admin/listPage'
import { PlanDrawer } from './planDrawer'
import { AddPlan } from './planVerbs'

/** For merchandisers: which plans there are, which hold now, and how much of each is gone. */
export default listPage({
  screen: 'yxch/yxfagl',
  list: listPlans,
  fields: planFields,
  words: 'promotion',
  columns: [
    'name',
    'kind',
    'state',
    'marks',
    'priority',
    'paidPercent',
    'amountFen',
    'leastFen',
    'pieces',
    'startsOn',
    'endsOn',
    'uses',
    'maxUses',
    'spentFen',
    'budgetFen',
    'stacks',
    'number',
    'merchantName',
    'createdBy',
    'createdAt',
  ],
  hidden: ['pieces', 'uses', 'maxUses', 'spentFen', 'budgetFen', 'stacks', 'number', 'merchantName', 'createdBy'],
  sortable: { createdAt: 'newest', priority: 'priority' },
  filters: ['q', 'state', 'kind'],
  moreFilters: ['merchantId'],
  presets: [
    { name: 'listed', query: () => ({ state: 'listed' }) },
    { name: 'toList', query: () => ({ state: 'not_listed' }) },
  ],
  actions: AddPlan,
  drawer: PlanDrawer,
  live: { kinds: ['promotionPlan'], also: [getPlan] as const },
})
