export { booksHash, brokenBookDays, closeDay, lastSealed, nextDay, type SealedDay } from './day.store'
export {
  type AccountKind,
  entry,
  moving,
  type Posting,
  salePostings,
  spentPostings,
  topUpPostings,
} from './ledger.rules'
export { cardMovePostings, cardPayOutPostings } from './card.postings'
export { lossPostings, refundPostings } from './refund.postings'
export {
  accountText,
  entriesOfTransfers,
  type EntryRow,
  findByOrder as findEntriesByOrder,
  findByReference as findEntriesByReference,
  postTransfers,
  type Transfer,
} from './ledger.store'
export { movementsOf } from './movements'
