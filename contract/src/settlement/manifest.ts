import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as bankCalls from './bank'
import * as batchCalls from './batch'
import * as booksCalls from './books'
import * as differenceCalls from './difference'
import * as feeCalls from './fee'
import * as runCalls from './run'
import * as transactionCalls from './transaction'

export const settlement: Manifest = {
  endpoints: endpointsIn([bankCalls, batchCalls, booksCalls, differenceCalls, feeCalls, runCalls, transactionCalls]),
  exports: [
    exportable(runCalls.listRuns, runCalls.runFields, 'settlement', 'xtgl/rjs'),
    exportable(differenceCalls.listDifferences, differenceCalls.differenceFields, 'settlement', 'xtgl/rjs'),
    exportable(bankCalls.listPayouts, bankCalls.payoutFields, 'settlement', 'xtgl/rjs'),
    exportable(booksCalls.listSettlements, booksCalls.settlementFields, 'settlement', 'cwgl/cwjs'),
    exportable(batchCalls.listSettledItems, batchCalls.settledItemFields, 'settlement', 'cfgl/jyjsmx'),
    exportable(transactionCalls.listTransactions, transactionCalls.transactionFields, 'settlement', 'cwgl/jyjs'),
    exportable(batchCalls.listDisputes, batchCalls.disputeFields, 'settlement', 'cwgl/cwjs'),
    exportable(booksCalls.listAccounts, booksCalls.accountFields, 'settlement', 'xtgl/rjs'),
    exportable(booksCalls.listBookDays, booksCalls.bookDayFields, 'settlement', 'xtgl/rjs'),
  ],
}
