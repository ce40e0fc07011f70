import { listOffers, offerFields } from '@aisle/contract/promotion/offer'
import { listPage } from '../../admin/listPage'

/** For merchandisers: what is cheaper where by now, by what, and what is passed over for it. */
export default listPage({
  screen: 'yxch/zkgl',
  list: listOffers,
  fields: offerFields,
  words: 'promotion',
  columns: [
    'productName',
    'machineCode',
    'slotCode',
    'listFen',
    'priceFen',
    'memberFen',
    'source',
    'reason',
    'priority',
    'passedOver',
    'endsOn',
    'beganAt',
    'memberReason',
    'struckFen',
    'machineName',
    'merchantName',
  ],
  hidden: ['memberReason', 'struckFen', 'machineName', 'merchantName'],
  sortable: { beganAt: 'newest', priority: 'priority', priceFen: 'price' },
  filters: ['q', 'source'],
  moreFilters: ['code', 'merchantId'],
  live: { kinds: ['promotionPlan', 'markdown'], also: [] },
})
