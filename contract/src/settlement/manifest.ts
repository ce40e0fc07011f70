import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as bankCalls from './bank'
import * as batchCalls from './batch'
import * as booksCalls from './books'
import * as differenceCalls from './difference'
import * as feeCalls from './fee'
import * as runCalls from './run'
import * as splitCalls from './split'
import * as splitReceiverCalls from './splitReceiver'
import * as splitRuleCalls from './splitRule'
import * as transactionCalls from './transaction'

export const settlement: Manifest = {
  endpoints: endpointsIn([
    bankCalls,
    batchCalls,
    booksCalls,
    differenceCalls,
    feeCalls,
    runCalls,
    splitCalls,
    splitReceiverCalls,
    splitRuleCalls,
    transactionCalls,
  ]),
  exports: [
    exportable(runCalls.listRuns, runCalls.runFields, 'settlement', 'xtgl/rjs'),
    exportable(differenceCalls.listDifferences, differenceCalls.differenceFields, 'settlement', 'xtgl/rjs'),
    exportable(bankCalls.listPayouts, bankCalls.payoutFields, 'settlement', 'xtgl/rjs'),
    exportable(booksCalls.listSettlements, booksCalls.settlementFields, 'settlement', 'cwgl/cwjs'),
    exportable(batchCalls.listSettledItems, batchCalls.settledItemFields, 'settlement', 'cfgl/jyjsmx'),
    exportable(transactionCalls.listTransactions, transactionCalls.transactionFields, 'settlement', 'cwgl/jyjs'),
    exportable(batchCalls.listDisputes, batchCalls.disputeFields, 'settlement', 'cwgl/cwjs'),
    exportable(
      splitReceiverCalls.listSplitReceivers,
      splitReceiverCalls.splitReceiverFields,
      'settlement',
      'cfgl/yhfzsz',
    ),
    exportable(splitRuleCalls.listSplitRules, splitRuleCalls.splitRuleFields, 'settlement', 'cfgl/yhfzsz'),
    exportable(splitCalls.listSplits, splitCalls.splitFields, 'settlement', 'cfgl/fztj'),
    exportable(splitCalls.listSplitsByReceiver, splitCalls.splitsByReceiverFields, 'settlement', 'cfgl/fztj'),
    exportable(splitCalls.listSplitsByDay, splitCalls.splitsByDayFields, 'settlement', 'cfgl/fztj'),
    exportable(splitCalls.listSplitReturns, splitCalls.splitReturnFields, 'settlement', 'cfgl/fztj'),
    exportable(booksCalls.listAccounts, booksCalls.accountFields, 'settlement', 'xtgl/rjs'),
    exportable(booksCalls.listBookDays, booksCalls.bookDayFields, 'settlement', 'xtgl/rjs'),
  ],
}
