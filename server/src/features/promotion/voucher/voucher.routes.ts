import * as codes from '@aisle/contract/promotion/code'
import * as coupons from '@aisle/contract/promotion/coupon'
import * as each from '@aisle/contract/promotion/voucher'
import type { VoucherKind } from '@aisle/contract/promotion/voucher'
import { planOf, type VoucherSaid } from '@aisle/contract/promotion/voucherPlan'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as plans from '../plan.commands'
import type { Said } from '../plan.store'
import * as issues from './issue.commands'
import { listReleasedOf } from './released.reads'
import { cancelBatchOf, cancelOf, releaseOf, revealOf } from './voucher.commands'
import { listVouchersOf, voucherDetailOf } from './voucher.reads'
import { detailOf, listPlansOf } from './voucherPlan.reads'

/** As it is kept, with what only the other kind says left open. */
function kept<S extends Omit<VoucherSaid, 'validDays' | 'maxIssued' | 'usesPerCode'> & Partial<VoucherSaid>>(said: S) {
  const { validDays = null, maxIssued = null, usesPerCode = null, isReturned } = said
  const plan: Said = { ...planOf(said), validDays, maxIssued, usesPerCode, isReturned }
  return plan
}

const edited = (kind: VoucherKind) => (ctx: Parameters<typeof plans.edit>[0], input: Edited) => {
  const { id, version, ...said } = input
  return plans.edit(ctx, { id, version, ...kept(said) }, kind)
}
type Edited = Parameters<typeof kept>[0] & { id: number; version: number }

export const routes: Route[] = [
  ...listOf(coupons.listCouponPlans, listPlansOf('coupon')),
  query(coupons.getCouponPlan, detailOf('coupon')),
  command(coupons.addCouponPlan, (ctx, said) => plans.add(ctx, kept(said), 'coupon')),
  command(coupons.editCouponPlan, edited('coupon')),
  command(coupons.listCouponPlan, (ctx, input) => plans.list(ctx, input, 'coupon')),
  command(coupons.pauseCouponPlan, (ctx, input) => plans.pause(ctx, input, 'coupon')),
  command(coupons.endCouponPlan, (ctx, input) => plans.end(ctx, input, 'coupon')),
  query(coupons.previewIssue, issues.preview),
  command(coupons.issueCoupons, issues.issue),
  ...listOf(each.listReleasedCoupons, listReleasedOf('coupon')),
  ...listOf(each.listCoupons, listVouchersOf('coupon')),
  query(each.getCoupon, voucherDetailOf('coupon')),
  command(each.cancelCoupon, cancelOf('coupon')),
  command(each.revealCoupon, revealOf('coupon'), 'nothing'),
  command(each.cancelCouponIssue, cancelBatchOf('coupon')),
  command(each.releaseCoupons, releaseOf('coupon')),
  ...listOf(codes.listCodePlans, listPlansOf('code')),
  query(codes.getCodePlan, detailOf('code')),
  command(codes.addCodePlan, (ctx, said) => plans.add(ctx, kept(said), 'code')),
  command(codes.editCodePlan, edited('code')),
  command(codes.listCodePlan, (ctx, input) => plans.list(ctx, input, 'code')),
  command(codes.pauseCodePlan, (ctx, input) => plans.pause(ctx, input, 'code')),
  command(codes.endCodePlan, (ctx, input) => plans.end(ctx, input, 'code')),
  command(codes.addCodeBatch, issues.addBatch),
  ...listOf(each.listReleasedCodes, listReleasedOf('code')),
  ...listOf(each.listCodes, listVouchersOf('code')),
  query(each.getCode, voucherDetailOf('code')),
  command(each.cancelCode, cancelOf('code')),
  command(each.revealCode, revealOf('code'), 'nothing'),
  command(each.cancelCodeBatch, cancelBatchOf('code')),
  command(each.releaseCodes, releaseOf('code')),
]
