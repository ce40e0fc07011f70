import {
  addPriceChange,
  applyPriceChange,
  discardPriceChange,
  getPriceChange,
  getPricedSlots,
  listPriceChanges,
  listPricedMachines,
  redraftPriceChange,
  undoPriceChange,
} from '@aisle/contract/planogram/priceChange'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import * as changes from './change.commands'
import { findChange, findSlotsOf, listChangesIn, listMachinesIn } from './change.reads'

export const routes: Route[] = [
  ...listOf(listPriceChanges, (ctx, input) => listChangesIn(sightOf(ctx.actor), input)),
  ...listOf(listPricedMachines, listMachinesIn),
  query(getPriceChange, (ctx, { id }) => findChange(ctx, id)),
  query(getPricedSlots, findSlotsOf),
  command(addPriceChange, changes.add),
  command(applyPriceChange, changes.apply),
  command(undoPriceChange, changes.undo),
  command(discardPriceChange, changes.discard),
  command(redraftPriceChange, changes.redraft),
]
