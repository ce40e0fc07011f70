import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as bankCalls from './bank'
import * as booksCalls from './books'
import * as differenceCalls from './difference'
import * as feeCalls from './fee'
import * as runCalls from './run'

export const settlement: Manifest = {
  endpoints: endpointsIn([bankCalls, booksCalls, differenceCalls, feeCalls, runCalls]),
  exports: [
    exportable(runCalls.listRuns, runCalls.runFields, 'settlement', 'xtgl/rjs'),
    exportable(differenceCalls.listDifferences, differenceCalls.differenceFields, 'settlement', 'xtgl/rjs'),
    exportable(bankCalls.listPayouts, bankCalls.payoutFields, 'settlement', 'xtgl/rjs'),
    exportable(booksCalls.listSettlements, booksCalls.settlementFields, 'settlement', 'xtgl/rjs'),
    exportable(booksCalls.listAccounts, booksCalls.accountFields, 'settlement', 'xtgl/rjs'),
    exportable(booksCalls.listBookDays, booksCalls.bookDayFields, 'settlement', 'xtgl/rjs'),
  ],
}
