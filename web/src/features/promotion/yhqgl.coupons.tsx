import { getCouponPlan, listCouponPlans } from '@aisle/contract/promotion/coupon'
import { voucherPlanFields } from '@aisle/contract/promotion/voucherPlan'
import { listPage } from '../../admin/listPage'
import { live } from './voucherCalls'
import { CouponPlanDrawer } from './voucherPlanDrawer'
import { AddCouponPlan } from './voucherPlanVerbs'

/** For merchandisers: which coupons there are, how many are out, and what came of them. */
export default listPage({
  screen: 'yxch/yhqgl',
  list: listCouponPlans,
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
    'maxIssued',
    'used',
    'expired',
    'cancelled',
    'givenFen',
    'salesFen',
    'startsOn',
    'endsOn',
    'validDays',
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
  actions: AddCouponPlan,
  drawer: CouponPlanDrawer,
  live: { ...live, also: [getCouponPlan] as const },
})
