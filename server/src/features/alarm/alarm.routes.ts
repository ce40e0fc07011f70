import {
  acknowledgeAlarms,
  assignAlarms,
  closeAlarms,
  getAlarm,
  listAlarms,
  listAssignees,
  summariseAlarms,
} from '@aisle/contract/alarm/alarm'
import {
  editStockRule,
  listStockRules,
  previewStockRule,
  removeStockRule,
  saveStockRule,
} from '@aisle/contract/alarm/stockRule'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { acknowledge, assign, close } from './alarm.commands'
import { assignees, findAlarmDetail, listAlarmsIn, summary } from './alarm.reads'
import { edit, remove, save } from './stockRule.commands'
import { list, preview } from './stockRule.reads'

export const routes: Route[] = [
  ...listOf(listAlarms, listAlarmsIn),
  query(summariseAlarms, (ctx) => summary(ctx)),
  query(getAlarm, async (ctx, { id }) => existing(await findAlarmDetail(ctx, id))),
  command(acknowledgeAlarms, acknowledge),
  command(assignAlarms, assign),
  command(closeAlarms, close),
  ...listOf(listAssignees, (ctx, input) => assignees(sightOf(ctx.actor), input)),
  query(listStockRules, (ctx) => list(ctx.db, sightOf(ctx.actor))),
  query(previewStockRule, (ctx, input) => preview(ctx.db, sightOf(ctx.actor), input, ctx.actor.merchantId)),
  command(saveStockRule, save),
  command(editStockRule, edit),
  command(removeStockRule, remove),
]
