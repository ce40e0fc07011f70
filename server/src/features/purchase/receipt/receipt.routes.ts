import * as contract from '@aisle/contract/purchase/receipt'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as decisions from './putAway.commands'
import { add } from './receipt.commands'
import { findGoodsReceipt, listGoodsReceiptsIn } from './receipt.reads'

export const routes: Route[] = [
  ...listOf(contract.listGoodsReceipts, listGoodsReceiptsIn),
  query(contract.getGoodsReceipt, findGoodsReceipt),
  command(contract.addGoodsReceipt, add),
  command(contract.acceptGoodsReceipt, decisions.accept),
  command(contract.turnDownGoodsReceipt, decisions.turnDown),
  command(contract.reverseGoodsReceipt, decisions.reverse),
]
