import * as contract from '@aisle/contract/purchase/order'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as orders from './order.commands'
import { findPurchaseOrder, listPurchaseOrdersIn, summary } from './order.reads'

export const routes: Route[] = [
  ...listOf(contract.listPurchaseOrders, listPurchaseOrdersIn),
  query(contract.summarisePurchaseOrders, (ctx) => summary(ctx)),
  query(contract.getPurchaseOrder, findPurchaseOrder),
  command(contract.addPurchaseOrder, orders.add),
  command(contract.editPurchaseOrder, orders.edit),
  command(contract.submitPurchaseOrder, orders.submit),
  command(contract.approvePurchaseOrder, orders.approve),
  command(contract.rejectPurchaseOrder, orders.reject),
  command(contract.sendPurchaseOrder, orders.send),
  command(contract.closePurchaseOrder, orders.close),
  command(contract.cancelPurchaseOrder, orders.cancel),
]
