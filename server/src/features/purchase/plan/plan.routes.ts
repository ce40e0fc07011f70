import * as contract from '@aisle/contract/purchase/plan'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as plans from './plan.commands'
import { findPlan, findPlanLine, listLinesIn, listPlansIn } from './plan.reads'

export const routes: Route[] = [
  ...listOf(contract.listPurchasePlans, listPlansIn),
  ...listOf(contract.listPurchasePlanLines, listLinesIn),
  query(contract.getPurchasePlan, findPlan),
  query(contract.getPurchasePlanLine, findPlanLine),
  command(contract.addPurchasePlan, plans.add),
  command(contract.changePurchasePlanLine, plans.change),
  command(contract.orderPurchasePlan, plans.order),
  command(contract.discardPurchasePlan, plans.discard),
]
