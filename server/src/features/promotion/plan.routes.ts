import {
  addPlan,
  dryRunPlan,
  editPlan,
  endPlan,
  getPlan,
  listPlan,
  listPlans,
  pausePlan,
} from '@aisle/contract/promotion/plan'
import { command, listOf, query, type Route } from '../../kernel/route'
import { dryRun } from './dryRun.reads'
import * as commands from './plan.commands'
import * as reads from './plan.reads'

export const routes: Route[] = [
  ...listOf(listPlans, reads.listPlansIn),
  query(getPlan, (ctx, { id }) => reads.detail(ctx, id)),
  query(dryRunPlan, (ctx, { id }) => dryRun(ctx, id)),
  command(addPlan, commands.add),
  command(editPlan, commands.edit),
  command(listPlan, commands.list),
  command(pausePlan, commands.pause),
  command(endPlan, commands.end),
]
