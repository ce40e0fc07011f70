import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as diagnosisCalls from './diagnosis'
import * as planCalls from './plan'
import * as repairOrderCalls from './repairOrder'

export const maintenance: Manifest = {
  endpoints: endpointsIn([diagnosisCalls, planCalls, repairOrderCalls]),
  exports: [
    exportable(repairOrderCalls.listRepairOrders, repairOrderCalls.repairOrderFields, 'maintenance', 'shj/bywx'),
  ],
}
