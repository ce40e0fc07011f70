import * as contract from '@aisle/contract/field/cashCollection'
import * as deposit from '@aisle/contract/field/cashDeposit'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as cash from './cash.commands'
import { findCollection, listCollectionsIn, summarise } from './cash.reads'
import { enter, reverse } from './deposit.commands'
import { findDeposit, listDepositsIn, previewDeposit } from './deposit.reads'

export const routes: Route[] = [
  ...listOf(contract.listCashCollections, listCollectionsIn),
  query(contract.summariseCash, summarise),
  query(contract.getCashCollection, findCollection),
  command(contract.takeCashBox, cash.take),
  command(contract.countCashBox, cash.count),
  command(contract.recountCashBox, cash.recount),
  command(contract.acceptCashDifference, cash.accept),
  command(contract.cancelCashBox, cash.cancel),
  ...listOf(deposit.listCashDeposits, listDepositsIn),
  query(deposit.previewCashDeposit, previewDeposit),
  query(deposit.getCashDeposit, findDeposit),
  command(deposit.depositCash, enter),
  command(deposit.reverseCashDeposit, reverse),
]
