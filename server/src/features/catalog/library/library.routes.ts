import * as contract from '@aisle/contract/catalog/library'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import * as additions from './addition.commands'
import { findAddition, listAdditionsIn } from './addition.reads'
import { listChangesIn, take } from './change'
import { copyMany, copyOne } from './copy.commands'
import { routes as itemRoutes } from './item'

export const routes: Route[] = [
  ...itemRoutes,
  command(contract.copyLibraryItems, copyMany),
  command(contract.copyLibraryItem, copyOne),
  command(contract.offerProducts, additions.offerAll),
  ...listOf(contract.listLibraryAdditions, (ctx, input) => listAdditionsIn(sightOf(ctx.actor), input)),
  query(contract.getLibraryAddition, (ctx, { id }) => findAddition(ctx, id)),
  command(contract.pictureAddition, additions.addPicture),
  command(contract.checkAddition, additions.check),
  command(contract.mergeAddition, additions.merge),
  command(contract.ignoreAddition, additions.ignore),
  ...listOf(contract.listLibraryChanges, (ctx, input) => listChangesIn(sightOf(ctx.actor), input)),
  command(contract.takeLibraryChange, take),
]
