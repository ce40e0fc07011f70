import { getDelivery, listDeliveries, replayDelivery } from '@aisle/contract/events/delivery'
import {
  addWebhook,
  disableWebhook,
  editWebhook,
  enableWebhook,
  listWebhooks,
  pauseWebhook,
  previewReplay,
  removeWebhook,
  replayWebhook,
  resumeWebhook,
  rotateWebhookSecret,
} from '@aisle/contract/events/webhook'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { preview, replay, replayOne } from './replay.commands'
import { add, disable, edit, move, remove, rotateSecret } from './webhook.commands'
import { findDelivery, listDeliveriesIn, webhooksOfInterface } from './webhook.reads'

export const routes: Route[] = [
  query(listWebhooks, async (ctx, { configId }) => {
    const items = await webhooksOfInterface(ctx.db, sightOf(ctx.actor), configId)
    return { items: existing(items) }
  }),
  command(addWebhook, add, 'nothing'),
  command(editWebhook, edit),
  command(pauseWebhook, (ctx, { id }) => move(ctx, id, 'pause')),
  command(resumeWebhook, (ctx, { id }) => move(ctx, id, 'resume')),
  command(enableWebhook, (ctx, { id }) => move(ctx, id, 'enable')),
  command(disableWebhook, (ctx, { id }) => disable(ctx, id)),
  command(removeWebhook, (ctx, { id }) => remove(ctx, id)),
  command(rotateWebhookSecret, (ctx, { id }) => rotateSecret(ctx, id), 'nothing'),
  query(previewReplay, preview),
  command(replayWebhook, replay),
  ...listOf(listDeliveries, (ctx, input) => listDeliveriesIn(sightOf(ctx.actor), input)),
  query(getDelivery, async (ctx, { id }) => {
    const found = await findDelivery(ctx.db, sightOf(ctx.actor), id)
    return existing(found)
  }),
  command(replayDelivery, (ctx, { id }) => replayOne(ctx, id)),
]
