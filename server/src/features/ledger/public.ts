export { salePostings } from './ledger.rules'
export { type EntryRow, findByOrder as findEntriesByOrder, postTransfers, type Transfer } from './ledger.store'
