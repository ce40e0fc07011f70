import {
  addRoute,
  editRoute,
  getRoute,
  listFillers,
  listRoutes,
  removeRoute,
  setStops,
} from '@aisle/contract/fleet/route'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { add, edit, remove, setOrder } from './route.commands'
import { fillers, findDetail, page } from './route.reads'

export const routes: Route[] = [
  query(listRoutes, (ctx, input) => page(ctx.db, sightOf(ctx.actor), input, ctx.now())),
  query(getRoute, async (ctx, { id }) => {
    const found = await findDetail(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return found ?? refuse('request.notFound')
  }),
  query(listFillers, (ctx, input) => fillers(ctx.db, sightOf(ctx.actor), input)),
  command(addRoute, add),
  command(editRoute, edit),
  command(setStops, setOrder),
  command(removeRoute, (ctx, { id }) => remove(ctx, id)),
]
