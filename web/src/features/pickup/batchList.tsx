import { batchFields, getBatch, listBatches } from '@aisle/contract/pickup/batch'
import { listPage } from '../../admin/listPage'
import { BatchDrawer } from './batchDrawer'
import { MakeCodes } from './makeCodes'

/** What was made together: how far it is, what it gives where, and its verbs as a whole. */
export const BatchList = listPage({
  screen: 'jygl/qhmgl',
  part: 'batches',
  list: listBatches,
  fields: batchFields,
  words: 'pickup',
  columns: [
    'description',
    'state',
    'count',
    'made',
    'goods',
    'pickupsAllowed',
    'scope',
    'expiresAt',
    'merchantName',
    'createdAt',
    'createdByName',
    'content',
    'id',
  ],
  hidden: ['pickupsAllowed', 'createdByName', 'content', 'id'],
  filters: ['q', 'state', 'product'],
  moreFilters: ['merchantId'],
  actions: MakeCodes,
  drawer: BatchDrawer,
  live: { kinds: ['pickupBatch'], also: [getBatch] },
})
