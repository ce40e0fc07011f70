import { type Manifest, endpointsIn, exportable } from '../kernel/manifest'
import * as keyCalls from './apiKey'
import * as deliveryCalls from './delivery'
import * as webhookCalls from './webhook'

export const events: Manifest = {
  endpoints: endpointsIn([deliveryCalls, keyCalls, webhookCalls]),
  exports: [
    exportable(keyCalls.listApiKeys, keyCalls.apiKeyFields, 'events', 'xtgl/kfmy'),
    exportable(deliveryCalls.listDeliveries, deliveryCalls.deliveryFields, 'events', 'xtgl/sjts'),
  ],
}
