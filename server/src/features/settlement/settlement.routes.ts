import { addBankReceipt, listPayouts, previewReceipt } from '@aisle/contract/settlement/bank'
import { getAccount, getTrialBalance, listAccounts, listBookDays } from '@aisle/contract/settlement/books'
import {
  addFeeRule,
  endFeeRule,
  getFeeRule,
  getMerchantFees,
  listFeeRules,
  listMerchantFees,
  previewFeeRule,
  takeBackFeeRule,
} from '@aisle/contract/settlement/fee'
import {
  approveDifference,
  decideDifference,
  getDifference,
  listDifferences,
  refuseDifference,
  takeDifference,
} from '@aisle/contract/settlement/difference'
import {
  askCloseRun,
  closeRun,
  getRun,
  listRuns,
  refuseCloseRun,
  rerunRun,
  summariseRuns,
  uploadStatement,
} from '@aisle/contract/settlement/run'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { addReceipt, listPayoutsIn, receiptPreview } from './bank.store'
import { listAccountsIn, bookDays, findAccount, trialBalance } from './books.reads'
import * as differences from './difference.commands'
import * as differenceReads from './difference.reads'
import { preview } from './fee/fee.preview'
import * as feeRules from './fee/feeRule.commands'
import { feeRulePage, findFeeRule } from './fee/feeRule.reads'
import { merchantFeePage, merchantFees } from './fee/merchantFee.reads'
import * as runs from './run.commands'
import * as runReads from './run.reads'

export const routes: Route[] = [
  ...listOf(listRuns, runReads.listRunsIn),
  query(summariseRuns, (ctx) => runReads.summary(ctx)),
  query(getRun, async (ctx, { id }) => existing(await runReads.findRunDetail(ctx, id))),
  command(rerunRun, runs.rerun),
  command(uploadStatement, runs.upload),
  command(askCloseRun, runs.askClose),
  command(refuseCloseRun, runs.refuseClose),
  command(closeRun, runs.close),
  ...listOf(listDifferences, differenceReads.listDifferencesIn),
  query(getDifference, async (ctx, { id }) => {
    return existing(await differenceReads.findDifferenceDetail(ctx, id))
  }),
  command(takeDifference, differences.take),
  command(decideDifference, differences.decide),
  command(approveDifference, differences.approve),
  command(refuseDifference, differences.sendBack),
  ...listOf(listPayouts, listPayoutsIn),
  query(previewReceipt, receiptPreview),
  command(addBankReceipt, addReceipt),
  ...listOf(listAccounts, listAccountsIn),
  query(getTrialBalance, trialBalance),
  query(getAccount, async (ctx, input) => existing(await findAccount(ctx, input))),
  ...listOf(listBookDays, (_, input) => bookDays(input)),
  ...listOf(listFeeRules, feeRulePage),
  ...listOf(listMerchantFees, merchantFeePage),
  query(getMerchantFees, merchantFees),
  query(getFeeRule, async (ctx, { id }) => existing(await findFeeRule(ctx, id))),
  query(previewFeeRule, preview),
  command(addFeeRule, feeRules.add),
  command(endFeeRule, feeRules.end),
  command(takeBackFeeRule, feeRules.takeBack),
]
