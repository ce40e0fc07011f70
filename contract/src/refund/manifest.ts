import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as problemCalls from './problem'
import * as refundCalls from './refund'
import * as unclaimedCalls from './unclaimed'
import * as verbsCalls from './verbs'

export const refund: Manifest = {
  endpoints: endpointsIn([problemCalls, refundCalls, unclaimedCalls, verbsCalls]),
  exports: [
    exportable(refundCalls.listRefunds, refundCalls.refundFields, 'refund', 'jygl/tkgl'),
    exportable(problemCalls.listProblems, problemCalls.problemFields, 'refund', 'cfgl/wtddgl'),
    exportable(unclaimedCalls.listUnclaimed, unclaimedCalls.unclaimedFields, 'refund', 'cfgl/wtddgl'),
  ],
}
