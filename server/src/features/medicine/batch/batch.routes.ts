import {
  addBatch,
  editBatch,
  getBatch,
  listBatches,
  listBatchPlaces,
  listProductBatches,
  lockBatch,
  rejectBatch,
  releaseBatch,
  scrapBatch,
  summariseBatches,
} from '@aisle/contract/medicine/batch'
import { existing } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as batches from './batch.commands'
import { batchPlacesIn, productBatchesIn } from './batch.places.reads'
import { batchesIn, findBatch, summary } from './batch.reads'

export const routes: Route[] = [
  ...listOf(listBatches, batchesIn),
  query(summariseBatches, (ctx) => summary(ctx)),
  query(getBatch, async (ctx, { id }) => existing(await findBatch(ctx, id))),
  ...listOf(listBatchPlaces, batchPlacesIn),
  ...listOf(listProductBatches, productBatchesIn),
  command(addBatch, batches.add),
  command(editBatch, batches.edit),
  command(lockBatch, batches.lock),
  command(releaseBatch, batches.release),
  command(rejectBatch, batches.reject),
  command(scrapBatch, batches.scrap),
]
