import { type Manifest, endpointsIn, exportable } from '../kernel/manifest'
import * as deliveryCalls from './delivery'
import * as webhookCalls from './webhook'

export const events: Manifest = {
  endpoints: endpointsIn([deliveryCalls, webhookCalls]),
  exports: [exportable(deliveryCalls.listDeliveries, deliveryCalls.deliveryFields, 'events', 'xtgl/sjts')],
}
