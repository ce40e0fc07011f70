import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as balanceCalls from './balance'
import * as bankLineCalls from './bankLine'
import * as payoutAccountCalls from './payoutAccount'
import * as withdrawalCalls from './withdrawal'

export const funds: Manifest = {
  endpoints: endpointsIn([balanceCalls, withdrawalCalls, bankLineCalls, payoutAccountCalls]),
  exports: [
    exportable(withdrawalCalls.listWithdrawals, withdrawalCalls.withdrawalFields, 'funds', 'cfgl/txgl'),
    exportable(bankLineCalls.listBankLines, bankLineCalls.bankLineFields, 'funds', 'cfgl/txgl'),
    exportable(balanceCalls.listBalances, balanceCalls.balanceFields, 'funds', 'cfgl/shyecx'),
  ],
}
