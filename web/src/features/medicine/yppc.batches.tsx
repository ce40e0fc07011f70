import { listBatches } from '@aisle/contract/medicine/batch'
import { listRecalls } from '@aisle/contract/medicine/recall'
import { partsPage } from '../../shelf/partsPage'
import { BatchList } from './batchList'
import { RecallList } from './recallList'

/** For pharmacists, every morning: which batches end, what stands behind them, and what has to come back. */
export default partsPage({
  screen: 'ypgl/yppc',
  words: 'medicine',
  parts: [
    { key: 'batches', access: listBatches.access, page: BatchList },
    { key: 'recalls', access: listRecalls.access, page: RecallList },
  ],
})
