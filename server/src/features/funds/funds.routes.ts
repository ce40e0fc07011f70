import { getBalance, listBalancePostings, listBalances } from '@aisle/contract/funds/balance'
import { explainBankLine, getBankLine, listBankLines } from '@aisle/contract/funds/bankLine'
import { listPayoutAccounts, putPayoutAccount } from '@aisle/contract/funds/payoutAccount'
import {
  applyWithdrawal,
  approveWithdrawal,
  cancelWithdrawal,
  getFunds,
  getWithdrawal,
  listWithdrawals,
  queryWithdrawal,
  rejectWithdrawal,
  summariseWithdrawals,
} from '@aisle/contract/funds/withdrawal'
import { command, listOf, query, type Route } from '../../kernel/route'
import { findBalance, listBalancePostingsIn, listBalancesIn } from './balance.reads'
import { funds } from './funds.reads'
import { explain } from './bankLine.commands'
import { findBankLine, listBankLinesIn } from './bankLine.store'
import { accountsInSight, putAccount } from './payoutAccount'
import * as verbs from './withdrawal.commands'
import * as reads from './withdrawal.reads'

export const routes: Route[] = [
  ...listOf(listBalances, listBalancesIn),
  query(getBalance, findBalance),
  ...listOf(listBalancePostings, listBalancePostingsIn),
  ...listOf(listWithdrawals, reads.listWithdrawalsIn),
  query(getFunds, funds),
  query(summariseWithdrawals, reads.summary),
  query(getWithdrawal, reads.findWithdrawal),
  command(applyWithdrawal, verbs.apply),
  command(approveWithdrawal, verbs.approve),
  command(rejectWithdrawal, verbs.reject),
  command(cancelWithdrawal, verbs.cancel),
  command(queryWithdrawal, verbs.queryNow),
  ...listOf(listBankLines, listBankLinesIn),
  query(getBankLine, findBankLine),
  command(explainBankLine, explain),
  query(listPayoutAccounts, accountsInSight),
  command(putPayoutAccount, putAccount),
]
