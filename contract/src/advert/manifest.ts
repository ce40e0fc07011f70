import { endpointsIn, exportable, type Manifest } from '../kernel/manifest'
import * as bookingCalls from './booking'
import * as creativeCalls from './creative'
import * as proofCalls from './proof'

export const advert: Manifest = {
  endpoints: endpointsIn([creativeCalls, bookingCalls, proofCalls]),
  exports: [exportable(proofCalls.listProof, proofCalls.proofFields, 'advert', 'gggl/cgggl')],
}
