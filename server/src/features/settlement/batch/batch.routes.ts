import {
  acceptDispute,
  confirmSettlement,
  disputeOrder,
  getDispute,
  getSettlement,
  getStatement,
  listDisputes,
  listSettledItems,
  refuseDispute,
  tieSettlements,
  withdrawDispute,
} from '@aisle/contract/settlement/batch'
import { listSettlements } from '@aisle/contract/settlement/books'
import { getTransaction, listTransactions } from '@aisle/contract/settlement/transaction'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as verbs from './batch.commands'
import { findSettlement, listSettlementsIn } from './batch.reads'
import { findDispute, listDisputesIn } from './dispute.reads'
import { listSettledItemsIn, tie } from './item.reads'
import { statement } from './statement.reads'
import { findTransaction, listTransactionsIn } from './transaction.reads'

export const routes: Route[] = [
  ...listOf(listSettlements, listSettlementsIn),
  query(tieSettlements, tie),
  query(getSettlement, findSettlement),
  query(getStatement, statement),
  command(confirmSettlement, verbs.confirm),
  command(disputeOrder, verbs.raise),
  ...listOf(listSettledItems, listSettledItemsIn),
  ...listOf(listDisputes, listDisputesIn),
  query(getDispute, findDispute),
  command(acceptDispute, verbs.accept),
  command(refuseDispute, verbs.sayNo),
  command(withdrawDispute, verbs.withdraw),
  ...listOf(listTransactions, listTransactionsIn),
  query(getTransaction, findTransaction),
]
