import {
  addPoint,
  editPoint,
  getPoint,
  listPoints,
  removePoint,
  resumePoint,
  stopPoint,
} from '@aisle/contract/fleet/point'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { add, edit, move, remove } from './point.commands'
import { findDetail, page } from './point.reads'

export const routes: Route[] = [
  query(listPoints, (ctx, input) => page(ctx.db, sightOf(ctx.actor), input)),
  query(getPoint, async (ctx, { id }) => {
    const found = await findDetail(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return found ?? refuse('request.notFound')
  }),
  command(addPoint, add),
  command(editPoint, edit),
  command(stopPoint, (ctx, { id }) => move(ctx, id, 'stop')),
  command(resumePoint, (ctx, { id }) => move(ctx, id, 'resume')),
  command(removePoint, (ctx, { id }) => remove(ctx, id)),
]
