import { endpointsIn, exportable, type Manifest } from '../kernel/manifest'
import * as bookingCalls from './booking'
import * as creativeCalls from './creative'
import * as proofCalls from './proof'

export const advert: Manifest = {
  endpoints: endpointsIn([creativeCalls, bookingCalls, proofCalls]),
  exports: [
    exportable(creativeCalls.listCreatives, creativeCalls.creativeFields, 'advert', 'gggl/cgggl'),
    exportable(bookingCalls.listBookings, bookingCalls.bookingFields, 'advert', 'gggl/cgggl'),
    exportable(proofCalls.listProof, proofCalls.proofFields, 'advert', 'gggl/cgggl'),
  ],
}
