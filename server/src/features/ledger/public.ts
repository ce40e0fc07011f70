export { closeDay, nextDay } from './day.store'
export { type AccountKind, type Posting, salePostings, spentPostings, topUpPostings } from './ledger.rules'
export { lossPostings, refundPostings } from './refund.postings'
export { type EntryRow, findByOrder as findEntriesByOrder, postTransfers, type Transfer } from './ledger.store'
