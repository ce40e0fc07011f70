import { getCouponPlan, listCouponPlans } from '@aisle/contract/promotion/coupon'
import { getCoupon, listCoupons, voucherFields } from '@aisle/contract/promotion/voucher'
import { listPage } from '../../admin/listPage'
import { GivenFilter, pickFilter } from '../../shelf/pickFilters'
import { live } from './voucherCalls'
import { CouponDrawer } from './voucherDrawer'

const PlanFilter = pickFilter({
  list: listCouponPlans,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
  get: getCouponPlan,
  wordOf: ({ name }) => name,
})

/** For service and bookkeeping: who holds which coupon, how it stands, and with which order it went. */
export default listPage({
  screen: 'yxch/yhqmx',
  list: listCoupons,
  fields: voucherFields,
  words: 'promotion',
  columns: [
    'tail',
    'planName',
    'state',
    'memberName',
    'memberNumber',
    'orderNo',
    'givenFen',
    'usedAt',
    'expiresAt',
    'validFrom',
    'createdAt',
    'batchId',
    'merchantName',
  ],
  hidden: ['validFrom', 'batchId', 'merchantName'],
  sortable: { createdAt: 'newest' },
  filters: ['tail', 'state', 'memberNumber'],
  moreFilters: ['planId', 'batchId', 'merchantId'],
  filterInputs: { planId: PlanFilter, batchId: GivenFilter },
  presets: [
    { name: 'unused', query: () => ({ state: 'unused' }) },
    { name: 'used', query: () => ({ state: 'used' }) },
  ],
  drawer: CouponDrawer,
  live: { ...live, also: [getCoupon] as const },
})
