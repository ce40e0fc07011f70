import { itemFields, listShippedItems } from '@aisle/contract/trade/item'
import { getOrder } from '@aisle/contract/trade/order'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { ItemDrawer } from './itemDrawer'

/** For whoever traces goods: which pack of which batch came out where and when, and for which order. */
export default listPage({
  screen: 'jygl/chmx',
  list: listShippedItems,
  fields: itemFields,
  words: 'trade',
  columns: [
    'productName',
    'shippedAt',
    'machineCode',
    'slotCode',
    'batch',
    'traceCode',
    'orderNo',
    'pointName',
    'machineName',
    'productCode',
    'occurredAt',
    'merchantName',
  ],
  hidden: ['machineName', 'productCode', 'occurredAt', 'merchantName'],
  filters: ['machineCode', 'batch', 'traceCode'],
  moreFilters: ['period', 'productCode', 'orderNo', 'merchantId'],
  presets: [
    { name: 'today', query: dayPresets.today },
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'last30Days', query: dayPresets.last30Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
  drawer: ItemDrawer,
  opensWith: getOrder,
  live: { topic: 'orders', also: [getOrder] },
})
