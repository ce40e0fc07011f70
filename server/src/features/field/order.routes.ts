import { listComingVisits } from '@aisle/contract/field/coming'
import * as contract from '@aisle/contract/field/replenishmentOrder'
import { command, listOf, query, type Route } from '../../kernel/route'
import { comingVisits } from './coming.reads'
import * as orders from './order.commands'
import { findOrder, listOrdersIn } from './order.reads'

export const routes: Route[] = [
  ...listOf(contract.listReplenishmentOrders, listOrdersIn),
  query(contract.getReplenishmentOrder, findOrder),
  query(listComingVisits, comingVisits),
  command(contract.addReplenishmentOrder, orders.add),
  command(contract.editReplenishmentOrder, orders.edit),
  command(contract.releaseReplenishmentOrder, orders.release),
  command(contract.reviseReplenishmentOrder, orders.revise),
  command(contract.loadReplenishmentOrder, orders.load),
  command(contract.departReplenishmentOrder, orders.depart),
  command(contract.finishReplenishmentOrder, orders.finish),
  command(contract.cancelReplenishmentOrder, orders.cancel),
]
