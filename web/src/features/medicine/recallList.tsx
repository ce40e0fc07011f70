import { getRecall, listRecalls, listRecallTargets, recallFields } from '@aisle/contract/medicine/recall'
import { listPage } from '../../admin/listPage'
import { RecallDrawer } from './recallDrawer'

/** Each recall with how far its places are; the newest first. */
export const RecallList = listPage({
  screen: 'ypgl/yppc',
  part: 'recalls',
  list: listRecalls,
  fields: recallFields,
  words: 'medicine',
  columns: [
    'no',
    'productName',
    'number',
    'state',
    'class',
    'isDrill',
    'dueAt',
    'targets',
    'pending',
    'acknowledged',
    'pulled',
    'unreachable',
    'bookPieces',
    'pulledPieces',
    'reason',
    'productCode',
    'merchantName',
    'createdAt',
    'startedAt',
    'closedAt',
  ],
  hidden: ['unreachable', 'bookPieces', 'productCode', 'merchantName', 'createdAt', 'startedAt', 'closedAt'],
  filters: ['q', 'state', 'class'],
  moreFilters: ['drill', 'merchantId'],
  presets: [{ name: 'active', query: () => ({ state: 'active' }) }],
  drawer: RecallDrawer,
  live: { kinds: ['recall'], also: [getRecall, listRecallTargets] as const },
})
