import { getOrder, listOrders, orderFields } from '@aisle/contract/trade/order'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { OrderDrawer } from './orderDrawer'

/** For the service desk with a customer on the phone: one box for any number that the customer can read out. */
export default listPage({
  screen: 'jygl/ddcx',
  list: listOrders,
  fields: orderFields,
  words: 'trade',
  columns: [
    'orderNo',
    'occurredAt',
    'machineName',
    'productNames',
    'paidFen',
    'paymentState',
    'shipState',
    'problem',
    'method',
    'machineCode',
    'refundedFen',
    'merchantName',
  ],
  hidden: ['method', 'machineCode', 'refundedFen', 'merchantName'],
  filters: ['q', 'machineCode', 'period'],
  moreFilters: ['method', 'paymentState', 'shipState', 'problem', 'merchantId'],
  presets: [
    { name: 'today', query: dayPresets.today },
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
    { name: 'problems', query: () => ({ problem: 'any' }) },
  ],
  drawer: OrderDrawer,
  live: { topic: 'orders', also: [getOrder] },
})
