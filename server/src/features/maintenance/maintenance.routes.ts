import { getDiagnosis } from '@aisle/contract/maintenance/diagnosis'
import { pullBatches } from '@aisle/contract/maintenance/pull'
import { addRepairPlan, editRepairPlan, listRepairPlans, removeRepairPlan } from '@aisle/contract/maintenance/plan'
import {
  addRepairOrder,
  addRepairPart,
  assignRepairOrder,
  cancelRepairOrder,
  closeRepairOrder,
  editRepairOrder,
  finishRepairOrder,
  getRepairOrder,
  listRepairOrders,
  removeRepairPart,
  resumeRepairOrder,
  startRepairOrder,
  summariseRepairOrders,
} from '@aisle/contract/maintenance/repairOrder'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { diagnose } from './diagnosis.reads'
import * as plans from './plan.store'
import * as orders from './repairOrder.commands'
import { pull } from './pull.commands'
import { findRepairOrderDetail, listRepairOrdersIn, summary } from './repairOrder.reads'

export const routes: Route[] = [
  ...listOf(listRepairOrders, listRepairOrdersIn),
  query(summariseRepairOrders, (ctx) => summary(ctx)),
  query(getRepairOrder, async (ctx, { id }) => existing(await findRepairOrderDetail(ctx, id))),
  command(addRepairOrder, orders.add),
  command(pullBatches, pull),
  command(editRepairOrder, orders.edit),
  command(assignRepairOrder, orders.assign),
  command(startRepairOrder, orders.start),
  command(addRepairPart, orders.addPart),
  command(removeRepairPart, orders.removePart),
  command(finishRepairOrder, orders.finish),
  command(resumeRepairOrder, orders.resume),
  command(closeRepairOrder, orders.close),
  command(cancelRepairOrder, orders.cancel),
  query(listRepairPlans, (ctx, input) => plans.list(ctx.db, sightOf(ctx.actor), input, ctx.now())),
  command(addRepairPlan, plans.add),
  command(editRepairPlan, plans.edit),
  command(removeRepairPlan, plans.remove),
  query(getDiagnosis, async (ctx, { id }) => {
    const found = await diagnose(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return existing(found)
  }),
]
