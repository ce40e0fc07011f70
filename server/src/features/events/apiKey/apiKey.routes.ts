import {
  addApiKey,
  editApiKey,
  getApiKey,
  listApiKeys,
  listScopes,
  revokeApiKey,
  takeOverApiKey,
} from '@aisle/contract/events/apiKey'
import { existing } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { add, edit, revoke, takeOver } from './apiKey.commands'
import { findApiKey, listApiKeysIn, scopeOf } from './apiKey.reads'
import { scopesFor } from './scope.rules'

export const routes: Route[] = [
  ...listOf(listApiKeys, (ctx, input) => listApiKeysIn(sightOf(ctx.actor), input, ctx.now())),
  query(getApiKey, async (ctx, { id }) => {
    const found = await findApiKey(ctx.db, sightOf(ctx.actor), id, { now: ctx.now(), language: ctx.language })
    return existing(found)
  }),
  query(listScopes, ({ actor, language }) =>
    Promise.resolve({ items: scopesFor(actor.grants).map(({ code }) => scopeOf(language, code)) }),
  ),
  command(addApiKey, add, 'nothing'),
  command(editApiKey, edit),
  command(takeOverApiKey, (ctx, { id }) => takeOver(ctx, id)),
  command(revokeApiKey, (ctx, { id }) => revoke(ctx, id)),
]
