import * as contract from '@aisle/contract/purchase/order'
import { listPage } from '../../admin/listPage'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { OrderDrawer } from './orderDrawer'
import { AddOrder } from './orderVerbs'

/** For buyers, daily: what is to be approved and sent, what is awaited and overdue, and what of it has come. */
export default listPage({
  screen: 'jxcgl/cgd',
  list: contract.listPurchaseOrders,
  fields: contract.purchaseOrderFields,
  words: 'purchase',
  columns: [
    'no',
    'supplierName',
    'state',
    'marks',
    'totalFen',
    'pieces',
    'received',
    'dueOn',
    'warehouseName',
    'maker',
    'madeAt',
    'lineCount',
    'daysLeft',
    'approver',
    'approvedAt',
    'sentHow',
    'sentAt',
    'merchantName',
  ],
  hidden: ['lineCount', 'daysLeft', 'approver', 'approvedAt', 'sentHow', 'sentAt', 'merchantName'],
  sortable: { dueOn: 'due', madeAt: 'newest' },
  filters: ['q', 'state', 'due'],
  moreFilters: ['awaited', 'orderNo', 'merchantId'],
  presets: [
    { name: 'toApprove', query: () => ({ state: 'submitted' }) },
    { name: 'toSend', query: () => ({ state: 'approved' }) },
    { name: 'overdue', query: () => ({ due: 'overdue', sort: 'due' }) },
  ],
  sums: ({ totalFen }) => ({ totalFen }),
  summary: Summary,
  actions: AddOrder,
  drawer: OrderDrawer,
  live: {
    kinds: ['purchaseOrder', 'goodsReceipt'],
    also: [contract.getPurchaseOrder, contract.summarisePurchaseOrders],
  },
})

const figures = [
  { name: 'submitted', tone: 'warn', query: { state: 'submitted' } },
  { name: 'approved', tone: 'idle', query: { state: 'approved' } },
  { name: 'partly', tone: 'idle', query: { state: 'partly' } },
  { name: 'overdue', tone: 'bad', query: { due: 'overdue' } },
] as const

/** Each figure is a filter. */
function Summary({ address }: { address: ListAddress }) {
  const t = useText('purchase')
  const { data } = useEndpoint(contract.summarisePurchaseOrders, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('order.summary')}
      address={address}
      figures={figures.map((figure) => ({
        ...figure,
        word: t(`order.summary.${figure.name}`),
        count: data?.[figure.name],
      }))}
    />
  )
}
