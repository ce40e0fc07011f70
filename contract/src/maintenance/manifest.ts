import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as diagnosisCalls from './diagnosis'
import * as planCalls from './plan'
import * as pullCalls from './pull'
import * as repairOrderCalls from './repairOrder'

export const maintenance: Manifest = {
  endpoints: endpointsIn([diagnosisCalls, planCalls, pullCalls, repairOrderCalls]),
  exports: [
    exportable(repairOrderCalls.listRepairOrders, repairOrderCalls.repairOrderFields, 'maintenance', 'shj/bywx'),
  ],
}
