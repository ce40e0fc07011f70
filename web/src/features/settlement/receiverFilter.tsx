import { getSplitReceiver, listSplitReceivers } from '@aisle/contract/settlement/splitReceiver'
import { pickFilter } from '../../shelf/pickFilters'

const ReceiverFilter = pickFilter({
  list: listSplitReceivers,
  optionOf: ({ id, receiverName, account }) => ({ value: id, word: receiverName, note: account }),
  get: getSplitReceiver,
  wordOf: ({ receiverName }) => receiverName,
})
export const receiverFilter = { receiverId: ReceiverFilter }
