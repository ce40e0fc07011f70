import { itemFields, listShipResults } from '@aisle/contract/trade/item'
import { getOrder } from '@aisle/contract/trade/order'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { ItemDrawer } from './itemDrawer'

/** For fitters and the service desk: what each motor and light curtain said; the failures are one click away. */
export default listPage({
  screen: 'jygl/chcx',
  list: listShipResults,
  fields: itemFields,
  words: 'trade',
  columns: [
    'productName',
    'occurredAt',
    'itemState',
    'machineCode',
    'slotCode',
    'motorCode',
    'sensorCode',
    'durationMs',
    'attempts',
    'orderNo',
    'machineName',
    'pointName',
    'shippedAt',
  ],
  hidden: ['machineName', 'pointName', 'shippedAt'],
  filters: ['itemState', 'machineCode', 'period'],
  moreFilters: ['motorCode', 'sensorCode', 'productCode', 'orderNo', 'merchantId'],
  presets: [
    { name: 'bad', query: () => ({ itemState: 'bad' }) },
    { name: 'today', query: dayPresets.today },
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
  drawer: ItemDrawer,
  opensWith: getOrder,
  live: { topic: 'orders', also: [getOrder] },
})
