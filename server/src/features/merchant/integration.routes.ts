import {
  addIntegration,
  disableIntegration,
  editIntegration,
  enableIntegration,
  getIntegration,
  listIntegrations,
  removeIntegration,
  rotateIntegrationSecret,
} from '@aisle/contract/merchant/integration'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { add, edit, move, remove, rotateSecret } from './integration.commands'
import { findIntegrationDetail, listIntegrationsIn } from './integration.reads'

export const routes: Route[] = [
  ...listOf(listIntegrations, (ctx, input) => listIntegrationsIn(sightOf(ctx.actor), input, ctx.now())),
  query(getIntegration, async (ctx, { id }) => {
    const found = await findIntegrationDetail(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return existing(found)
  }),
  command(addIntegration, add),
  command(editIntegration, edit),
  command(enableIntegration, (ctx, { id }) => move(ctx, id, 'enable')),
  command(disableIntegration, (ctx, { id }) => move(ctx, id, 'disable')),
  command(removeIntegration, (ctx, { id }) => remove(ctx, id)),
  command(rotateIntegrationSecret, (ctx, { id }) => rotateSecret(ctx, id), 'nothing'),
]
