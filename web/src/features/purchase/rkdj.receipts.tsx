import * as contract from '@aisle/contract/purchase/receipt'
import { listPage } from '../../admin/listPage'
import { ReceiptDrawer } from './receiptDrawer'
import { AddReceipt } from './receiptVerbs'

/** For who keeps a warehouse, all day: what came, what another person has to look at, what was short or refused. */
export default listPage({
  screen: 'jxcgl/rkdj',
  list: contract.listGoodsReceipts,
  fields: contract.goodsReceiptFields,
  words: 'purchase',
  columns: [
    'no',
    'supplierName',
    'state',
    'marks',
    'pieces',
    'refused',
    'valueFen',
    'orderNo',
    'deliveryNote',
    'warehouseName',
    'receivedAt',
    'receiver',
    'decider',
    'decidedAt',
    'merchantName',
  ],
  hidden: ['decider', 'decidedAt', 'merchantName'],
  filters: ['q', 'state'],
  moreFilters: ['donePeriod', 'productCode', 'orderNo', 'merchantId'],
  presets: [{ name: 'toAccept', query: () => ({ state: 'waiting' }) }],
  sums: ({ valueFen }) => ({ valueFen }),
  actions: AddReceipt,
  drawer: ReceiptDrawer,
  live: { kinds: ['goodsReceipt'], also: [contract.getGoodsReceipt] },
})
