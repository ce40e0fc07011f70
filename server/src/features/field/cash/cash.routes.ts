import * as contract from '@aisle/contract/field/cashCollection'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as cash from './cash.commands'
import { depositRoutes } from './deposit'
import { findCollection, listCollectionsIn, summarise } from './cash.reads'

export const routes: Route[] = [
  ...depositRoutes,
  ...listOf(contract.listCashCollections, listCollectionsIn),
  query(contract.summariseCash, summarise),
  query(contract.getCashCollection, findCollection),
  command(contract.takeCashBox, cash.take),
  command(contract.countCashBox, cash.count),
  command(contract.recountCashBox, cash.recount),
  command(contract.acceptCashDifference, cash.accept),
  command(contract.cancelCashBox, cash.cancel),
]
