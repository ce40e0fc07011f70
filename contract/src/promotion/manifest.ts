import { type Manifest, endpointsIn, exportable } from '../kernel/manifest'
import * as campaignCalls from './campaign'
import * as codeCalls from './code'
import * as couponCalls from './coupon'
import * as markdownCalls from './markdown'
import * as offerCalls from './offer'
import * as planCalls from './plan'
import * as voucherCalls from './voucher'
import { voucherPlanFields } from './voucherPlan'

export const promotion: Manifest = {
  endpoints: endpointsIn([markdownCalls, planCalls, campaignCalls, offerCalls, couponCalls, codeCalls, voucherCalls]),
  exports: [
    exportable(markdownCalls.listMarkdowns, markdownCalls.markdownFields, 'promotion', 'ypgl/zksp'),
    exportable(planCalls.listPlans, planCalls.planFields, 'promotion', 'yxch/yxfagl'),
    exportable(campaignCalls.listCampaigns, campaignCalls.campaignFields, 'promotion', 'yxch/yxjhgl'),
    exportable(offerCalls.listOffers, offerCalls.offerFields, 'promotion', 'yxch/zkgl'),
    exportable(couponCalls.listCouponPlans, voucherPlanFields, 'promotion', 'yxch/yhqgl'),
    exportable(voucherCalls.listCoupons, voucherCalls.voucherFields, 'promotion', 'yxch/yhqmx'),
    exportable(voucherCalls.listReleasedCoupons, voucherCalls.releasedFields, 'promotion', 'yxch/yhqmx'),
    exportable(codeCalls.listCodePlans, voucherPlanFields, 'promotion', 'yxch/yhmgl'),
    exportable(voucherCalls.listCodes, voucherCalls.voucherFields, 'promotion', 'yxch/yhmmx'),
    exportable(voucherCalls.listReleasedCodes, voucherCalls.releasedFields, 'promotion', 'yxch/yhmmx'),
  ],
}
