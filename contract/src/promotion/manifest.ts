import { type Manifest, endpointsIn, exportable } from '../kernel/manifest'
import * as markdownCalls from './markdown'
import * as offerCalls from './offer'
import * as planCalls from './plan'

export const promotion: Manifest = {
  endpoints: endpointsIn([markdownCalls, planCalls, offerCalls]),
  exports: [
    exportable(markdownCalls.listMarkdowns, markdownCalls.markdownFields, 'promotion', 'ypgl/zksp'),
    exportable(planCalls.listPlans, planCalls.planFields, 'promotion', 'yxch/yxfagl'),
    exportable(offerCalls.listOffers, offerCalls.offerFields, 'promotion', 'yxch/zkgl'),
  ],
}
