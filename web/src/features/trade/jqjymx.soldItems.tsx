import { itemFields, listSoldItems } from '@aisle/contract/trade/item'
import { getOrder } from '@aisle/contract/trade/order'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { ItemDrawer } from './itemDrawer'

/** For whoever checks a machine's takings: every piece that was paid for, where and how. */
export default listPage({
  screen: 'jygl/jqjymx',
  list: listSoldItems,
  fields: itemFields,
  words: 'trade',
  columns: [
    'productName',
    'occurredAt',
    'machineCode',
    'slotCode',
    'priceFen',
    'method',
    'itemState',
    'orderNo',
    'pointName',
    'thirdPartyNo',
    'paymentState',
    'machineName',
    'merchantName',
    'productCode',
    'listPriceFen',
    'businessType',
  ],
  hidden: [
    'thirdPartyNo',
    'paymentState',
    'machineName',
    'merchantName',
    'productCode',
    'listPriceFen',
    'businessType',
  ],
  filters: ['machineCode', 'productCode', 'period'],
  moreFilters: ['method', 'itemState', 'businessType', 'orderNo', 'merchantId'],
  presets: [
    { name: 'today', query: dayPresets.today },
    { name: 'yesterday', query: dayPresets.yesterday },
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'last30Days', query: dayPresets.last30Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
  sums: ({ priceFen }) => ({ priceFen }),
  drawer: ItemDrawer,
  live: { topic: 'orders', also: [getOrder] },
})
