import { cardLogFields, listCardLog } from '@aisle/contract/member/cardTransaction'
import { listPage } from '../../admin/listPage'

/** For who looks into what happened to a card: each act with who did it and what was on the card before and after. */
export default listPage({
  screen: 'hygl/hykrz',
  list: listCardLog,
  fields: cardLogFields,
  words: 'member',
  columns: [
    'logicalNo',
    'at',
    'action',
    'byName',
    'beforeFen',
    'afterFen',
    'giftBeforeFen',
    'giftAfterFen',
    'note',
    'holderName',
    'physicalNo',
    'type',
    'merchantName',
  ],
  hidden: ['giftBeforeFen', 'giftAfterFen', 'physicalNo', 'type', 'merchantName'],
  sortable: { at: 'newest' },
  filters: ['q', 'action', 'period'],
  moreFilters: ['merchantId'],
  live: { kinds: ['memberCard'], also: [] },
})
