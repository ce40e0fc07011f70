import * as codes from '@aisle/contract/promotion/code'
import * as coupons from '@aisle/contract/promotion/coupon'
import * as each from '@aisle/contract/promotion/voucher'

/** What the pages of coupons and of promotion codes ask and do: the same of two kinds. */
export const couponCalls = {
  kind: 'coupon',
  listPlans: coupons.listCouponPlans,
  getPlan: coupons.getCouponPlan,
  listPlan: coupons.listCouponPlan,
  pausePlan: coupons.pauseCouponPlan,
  endPlan: coupons.endCouponPlan,
  list: each.listCoupons,
  get: each.getCoupon,
  cancel: each.cancelCoupon,
  reveal: each.revealCoupon,
  cancelBatch: each.cancelCouponIssue,
  release: each.releaseCoupons,
  released: each.listReleasedCoupons,
  details: 'yxch/yhqmx',
  plans: 'yxch/yhqgl',
} as const

export const codeCalls = {
  kind: 'code',
  listPlans: codes.listCodePlans,
  getPlan: codes.getCodePlan,
  listPlan: codes.listCodePlan,
  pausePlan: codes.pauseCodePlan,
  endPlan: codes.endCodePlan,
  list: each.listCodes,
  get: each.getCode,
  cancel: each.cancelCode,
  reveal: each.revealCode,
  cancelBatch: each.cancelCodeBatch,
  release: each.releaseCodes,
  released: each.listReleasedCodes,
  details: 'yxch/yhmmx',
  plans: 'yxch/yhmgl',
} as const

export type VoucherCalls = typeof couponCalls | typeof codeCalls
export const changesOf = ({ listPlans, getPlan, list, get }: VoucherCalls) => [listPlans, getPlan, list, get]
export const live = { kinds: ['couponPlan', 'codePlan', 'voucher'] }
