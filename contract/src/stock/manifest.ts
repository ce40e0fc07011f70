import { type Manifest, endpointsIn, exportable } from '../kernel/manifest'
import * as transferCalls from './transfer'
import * as warehouseCalls from './warehouse'
import * as writeOffCalls from './writeOff'

export const stock: Manifest = {
  endpoints: endpointsIn([warehouseCalls, transferCalls, writeOffCalls]),
  exports: [
    exportable(warehouseCalls.listWarehouses, warehouseCalls.warehouse.fields, 'stock', 'jxcgl/ccgl'),
    exportable(warehouseCalls.listWarehouseStock, warehouseCalls.lyingFields, 'stock', 'jxcgl/ccgl'),
    exportable(warehouseCalls.listWarehouseMoves, warehouseCalls.movedFields, 'stock', 'jxcgl/ccgl'),
    exportable(transferCalls.listTransfers, transferCalls.transferFields, 'stock', 'jxcgl/ccgl'),
    exportable(writeOffCalls.listWriteOffs, writeOffCalls.writeOffFields, 'stock', 'jxcgl/bs'),
  ],
}
