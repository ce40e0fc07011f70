import {
  correctCare,
  getCareSheet,
  getCareTask,
  listCareTasks,
  signCare,
  summariseCare,
} from '@aisle/contract/medicine/care'
import { command, listOf, query, type Route } from '../../kernel/route'
import * as commands from './care.commands'
import * as reads from './care.reads'

export const routes: Route[] = [
  ...listOf(listCareTasks, reads.listCareTasksIn),
  query(summariseCare, (ctx) => reads.summary(ctx)),
  query(getCareTask, (ctx, { id }) => reads.detail(ctx, id)),
  query(getCareSheet, reads.sheet),
  command(signCare, commands.sign),
  command(correctCare, commands.correct),
]
