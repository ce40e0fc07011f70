import { type MessageChannel, channels } from '@aisle/contract/notice/messageType'
import {
  getOutboxState,
  getPushMessage,
  listPushMessages,
  messageState,
  resendMessage,
} from '@aisle/contract/notice/push'
import type { RawBuilder } from 'kysely'
import { auditAs } from '../../kernel/audit'
import type { QueryContext } from '../../kernel/context'
import { carriedChannels } from '../../kernel/outbox'
import { existing, refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { hasProvider } from './provider.store'
import { countUntold, findPushDetail, list, lockInSight, queueAgain } from './push.store'

export const routes: Route[] = [
  ...listOf(listPushMessages, (ctx, input) => list(sightOf(ctx.actor), ctx.language, input)),
  query(getPushMessage, (ctx, { id }) => detailFor(ctx, id)),
  query(getOutboxState, outboxState),
  command(resendMessage, async (ctx, { id }) => {
    const row = existing(await lockInSight(ctx.tx, sightOf(ctx.actor), id))
    if (!messageState.can(row.state, 'resend')) refuse('message.state')
    if (row.isSecret && !row.sealedBody) refuse('message.secretGone')
    const state = await queueAgain(ctx.tx, id, ctx.now())
    await audit(ctx, { id, merchantId: row.merchantId }, { state: row.state }, { state })
    return { id, state }
  }),
]

/** @throws Refusal request.notFound for what is out of sight, or not of those */
export async function detailFor(ctx: QueryContext, id: number, only?: RawBuilder<unknown>) {
  const found = existing(await findPushDetail(ctx.db, sightOf(ctx.actor), ctx.language, id, only))
  return { ...found, whyHeld: messageState.is(found.state, 'held') ? await whyHeld(ctx, found.channel) : null }
}

type WhyHeld = 'noProvider' | 'providerOff' | 'accountSilent'

async function whyHeld(ctx: QueryContext, channel: MessageChannel): Promise<WhyHeld> {
  if (channel === 'wechat') return 'accountSilent'
  return (await hasProvider(ctx.db, channel)) ? 'providerOff' : 'noProvider'
}

async function outboxState(ctx: QueryContext) {
  const carried = await carriedChannels(ctx.db)
  const missing = channels.filter((channel) => !carried.includes(channel))
  return { ...(await countUntold(ctx.db, sightOf(ctx.actor))), missing: [...missing] }
}

const audit = auditAs('pushMessage')
