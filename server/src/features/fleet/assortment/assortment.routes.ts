import * as contract from '@aisle/contract/fleet/assortment'
import { existing } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { add, edit, move, remove, setContents } from './assortment.commands'
import { findAssortmentDetail, listAssortmentsIn, placeable } from './assortment.reads'

export const routes: Route[] = [
  ...listOf(contract.listAssortments, (ctx, input) => listAssortmentsIn(sightOf(ctx.actor), input)),
  query(contract.getAssortment, async (ctx, { id }) => {
    const found = await findAssortmentDetail(ctx.db, sightOf(ctx.actor), id)
    return existing(found)
  }),
  ...listOf(contract.listPlaceable, (ctx, input) => placeable(sightOf(ctx.actor), input)),
  command(contract.addAssortment, add),
  command(contract.editAssortment, edit),
  command(contract.setAssortment, setContents),
  command(contract.stopAssortment, (ctx, { id }) => move(ctx, id, 'stop')),
  command(contract.resumeAssortment, (ctx, { id }) => move(ctx, id, 'resume')),
  command(contract.removeAssortment, (ctx, { id }) => remove(ctx, id)),
]
