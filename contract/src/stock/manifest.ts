import { type Manifest, endpointsIn, exportable } from '../kernel/manifest'
import * as outboundCalls from './outbound'
import * as transferCalls from './transfer'
import * as warehouseCalls from './warehouse'
import * as writeOffCalls from './writeOff'

export const stock: Manifest = {
  endpoints: endpointsIn([warehouseCalls, transferCalls, outboundCalls, writeOffCalls]),
  exports: [
    exportable(warehouseCalls.listWarehouses, warehouseCalls.warehouse.fields, 'stock', 'jxcgl/ccgl'),
    exportable(warehouseCalls.listWarehouseStock, warehouseCalls.lyingFields, 'stock', 'jxcgl/ccgl'),
    exportable(warehouseCalls.listWarehouseMoves, warehouseCalls.movedFields, 'stock', 'jxcgl/ccgl'),
    exportable(transferCalls.listTransfers, transferCalls.transferFields, 'stock', 'jxcgl/ccgl'),
    exportable(outboundCalls.listOutboundOrders, outboundCalls.outboundFields, 'stock', 'jxcgl/chd'),
    exportable(outboundCalls.listCarriedGoods, outboundCalls.carriedFields, 'stock', 'jxcgl/chd'),
    exportable(writeOffCalls.listWriteOffs, writeOffCalls.writeOffFields, 'stock', 'jxcgl/bs'),
  ],
}
