import { checkPrizeCode, listRedemptions, redemptionFields } from '@aisle/contract/lottery/prizeCode'
import { listPage } from '../../admin/listPage'
import { PrizeCheck } from './prizeCheck'

/** For who stands at the counter, many times a day: scan or type a code, hand over, next; below what was given. */
export default listPage({
  screen: 'yxch/djyz',
  list: listRedemptions,
  fields: redemptionFields,
  words: 'lottery',
  columns: [
    'productName',
    'prizeFen',
    'redeemedAt',
    'redeemedByName',
    'placeName',
    'orderNo',
    'machineCode',
    'machineName',
    'merchantName',
  ],
  hidden: ['machineName', 'merchantName'],
  sortable: { redeemedAt: 'newest' },
  filters: ['orderNo', 'product', 'machineCode', 'from', 'to'],
  moreFilters: ['merchantId'],
  summary: PrizeCheck,
  live: { kinds: ['prizeRedemption'], also: [checkPrizeCode] },
})
