import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as shipmentCalls from './shipment'

export const partner: Manifest = {
  endpoints: endpointsIn([shipmentCalls]),
  exports: [exportable(shipmentCalls.listShipments, shipmentCalls.shipmentFields, 'partner', 'jygl/dsfchcx')],
}
