import {
  addMarkdown,
  getMarkdown,
  listMarkdowns,
  markDownBatches,
  stopMarkdown,
} from '@aisle/contract/promotion/markdown'
import { command, listOf, query, type Route } from '../../kernel/route'
import * as commands from './markdown.commands'
import * as reads from './markdown.reads'

export const routes: Route[] = [
  ...listOf(listMarkdowns, reads.listMarkdownsIn),
  query(getMarkdown, (ctx, { id }) => reads.detail(ctx, id)),
  command(addMarkdown, commands.add),
  command(stopMarkdown, commands.stop),
  command(markDownBatches, commands.markDown),
]
