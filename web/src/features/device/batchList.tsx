import { batchFields, getBatch, listBatches } from '@aisle/contract/device/batch'
import { listPage } from '../../admin/listPage'
import { BatchDrawer } from './batchDrawer'
import { SendMany } from './sendMany'

/** One thing asked of many: how far it is, counted from the machines themselves. */
export const BatchList = listPage({
  screen: 'shj/jqzc',
  part: 'batches',
  list: listBatches,
  fields: batchFields,
  words: 'device',
  columns: [
    'type',
    'reason',
    'progress',
    'count',
    'done',
    'failed',
    'expired',
    'waiting',
    'cancelled',
    'createdBy',
    'createdAt',
  ],
  hidden: ['cancelled'],
  filters: ['type'],
  actions: SendMany,
  drawer: BatchDrawer,
  live: { topic: 'commands', also: [getBatch] as const },
})
