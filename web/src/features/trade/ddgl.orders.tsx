import { getSettlement } from '@aisle/contract/settlement/batch'
import { getOrder, listOrders, orderFields } from '@aisle/contract/trade/order'
import { dayPresets } from '../../ui/days'
import { MerchantFilter } from '../../admin/fields/filter'
import { listPage } from '../../admin/listPage'
import { OperatorFilter } from '../../shelf/operatorInput'
import { givenFilter, HospitalFilter, PointFilter } from '../../shelf/pickFilters'
import { OrderDrawer } from './orderDrawer'
import { saidFilters } from './saidFilters'

/** For the service desk with a customer on the phone, and for operators: which order, what happened, what is due. */
export default listPage({
  screen: 'jygl/ddgl',
  list: listOrders,
  fields: orderFields,
  words: 'trade',
  columns: [
    'orderNo',
    'occurredAt',
    'machineCode',
    'productNames',
    'method',
    'paidFen',
    'paymentState',
    'shipState',
    'problem',
    'machineName',
    'merchantName',
    'itemCount',
    'totalFen',
    'discountFen',
    'refundedFen',
  ],
  hidden: ['machineName', 'merchantName', 'itemCount', 'totalFen', 'discountFen', 'refundedFen'],
  filters: ['orderNo', 'amount', 'about', 'place', 'paid', 'machineCode', 'period'],
  filterInputs: {
    ...saidFilters,
    pointId: PointFilter,
    hospitalId: HospitalFilter,
    sellerId: MerchantFilter,
    operatorId: OperatorFilter,
    settlementId: givenFilter(getSettlement, ({ businessDay, merchantName }) => `${businessDay} · ${merchantName}`),
  },
  moreFilters: [
    'method',
    'businessType',
    'paymentState',
    'shipState',
    'problem',
    'productCode',
    'batch',
    'merchantId',
    'sellerId',
    'pointId',
    'hospitalId',
    'operatorId',
    'settlementId',
  ],
  presets: [
    { name: 'today', query: dayPresets.today },
    { name: 'yesterday', query: dayPresets.yesterday },
    { name: 'last7Days', query: dayPresets.last7Days },
    { name: 'last30Days', query: dayPresets.last30Days },
    { name: 'currentMonth', query: dayPresets.currentMonth },
    { name: 'lastMonth', query: dayPresets.lastMonth },
    { name: 'problems', query: () => ({ problem: 'any' }) },
  ],
  sums: ({ paidFen, discountFen, refundedFen }) => ({
    paidFen,
    discountFen,
    refundedFen,
    netFen: paidFen - refundedFen,
  }),
  drawer: OrderDrawer,
  live: { topic: 'orders', also: [getOrder] },
})
