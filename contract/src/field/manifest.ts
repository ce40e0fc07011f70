import { endpointsIn, exportable, type Manifest } from '../kernel/manifest'
import * as orderCalls from './replenishmentOrder'

export const field: Manifest = {
  endpoints: endpointsIn([orderCalls]),
  exports: [exportable(orderCalls.listReplenishmentOrders, orderCalls.replenishmentOrderFields, 'field', 'jxcgl/bhd')],
}
