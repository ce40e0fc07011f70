import { listBatches } from '@aisle/contract/pickup/batch'
import { listPickupCodes } from '@aisle/contract/pickup/pickupCode'
import { partsPage } from '../../shelf/partsPage'
import { BatchList } from './batchList'
import { CodeList } from './codeList'

/** For whoever gives codes out and who is asked why one gave nothing: each code, and what was made together. */
export default partsPage({
  screen: 'jygl/qhmgl',
  words: 'pickup',
  parts: [
    { key: 'codes', access: listPickupCodes.access, page: CodeList },
    { key: 'batches', access: listBatches.access, page: BatchList },
  ],
})
