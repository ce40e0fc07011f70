import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as batchCalls from './batch'
import * as pickupCodeCalls from './pickupCode'

export const pickup: Manifest = {
  endpoints: endpointsIn([batchCalls, pickupCodeCalls]),
  exports: [
    exportable(pickupCodeCalls.listPickupCodes, pickupCodeCalls.codeFields, 'pickup', 'jygl/qhmgl'),
    exportable(batchCalls.listBatches, batchCalls.batchFields, 'pickup', 'jygl/qhmgl'),
    exportable(batchCalls.listReleased, batchCalls.releasedFields, 'pickup', 'jygl/qhmgl'),
  ],
}
