import { deductionFields, listDeductions } from '@aisle/contract/member/cardTransaction'
import { listPage } from '../../admin/listPage'

/** For who answers a holder's question: which order took how much, and what was on the card before and after. */
export default listPage({
  screen: 'hygl/kkmx',
  list: listDeductions,
  fields: deductionFields,
  words: 'member',
  columns: [
    'logicalNo',
    'at',
    'paidFen',
    'orderNo',
    'machineCode',
    'beforeFen',
    'afterFen',
    'creditedFen',
    'holderName',
    'ofBalanceFen',
    'ofGiftFen',
    'giftBeforeFen',
    'giftAfterFen',
    'sellerName',
    'physicalNo',
    'type',
    'merchantName',
  ],
  hidden: [
    'ofBalanceFen',
    'ofGiftFen',
    'giftBeforeFen',
    'giftAfterFen',
    'sellerName',
    'physicalNo',
    'type',
    'merchantName',
  ],
  sortable: { at: 'newest', paidFen: 'amount' },
  filters: ['q', 'period', 'orderNo'],
  moreFilters: ['machineCode', 'back', 'merchantId'],
  sums: ({ paidFen, creditedFen }) => ({ paidFen, creditedFen }),
  live: { kinds: ['memberCard'], also: [] },
})
