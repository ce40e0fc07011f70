import { getShipment, listShipments, shipmentFields, summariseShipments } from '@aisle/contract/partner/shipment'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { ShipmentDrawer } from './shipmentDrawer'
import { ShipmentSummary } from './shipmentSummary'

/** For whoever answers a partner's call: their number, what came out, and whether they heard of it. */
export default listPage({
  screen: 'jygl/dsfchcx',
  list: listShipments,
  fields: shipmentFields,
  words: 'partner',
  columns: [
    'requestNo',
    'result',
    'callback',
    'productNames',
    'itemCount',
    'dispensedCount',
    'machineCode',
    'contractNumber',
    'createdAt',
    'tries',
    'nextTryAt',
    'orderNo',
    'machineName',
    'merchantName',
  ],
  hidden: ['orderNo', 'machineName', 'merchantName'],
  filters: ['requestNo', 'result', 'callback'],
  moreFilters: ['period', 'orderNo', 'machineCode', 'contractNumber', 'merchantId'],
  presets: [
    { name: 'today', query: dayPresets.today },
    { name: 'lastMonth', query: dayPresets.lastMonth },
    { name: 'shipping', query: () => ({ result: 'shipping' }) },
    { name: 'failed', query: () => ({ callback: 'failed' }) },
  ],
  summary: ShipmentSummary,
  drawer: ShipmentDrawer,
  live: { topic: 'orders', also: [getShipment, summariseShipments] },
})
