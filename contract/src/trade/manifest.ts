import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as itemCalls from './item'
import * as orderCalls from './order'

export const trade: Manifest = {
  endpoints: endpointsIn([itemCalls, orderCalls]),
  exports: [exportable(orderCalls.listOrders, orderCalls.orderFields, 'trade', 'jygl/ddgl')],
}
