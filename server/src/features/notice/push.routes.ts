import { type MessageChannel, offeredChannels } from '@aisle/contract/notice/messageType'
import {
  getOutboxState,
  getPushMessage,
  listPushMessages,
  messageState,
  resendMessage,
} from '@aisle/contract/notice/push'
import { type RawBuilder, sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import type { QueryContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { carriedChannels, DELIVER } from '../../kernel/outbox'
import { existing, refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { findDetail, list, lockInSight } from './push.reads'
import { statesIn } from '../../kernel/states'

export const routes: Route[] = [
  ...listOf(listPushMessages, (ctx, input) => list(sightOf(ctx.actor), ctx.language, input)),
  query(getPushMessage, (ctx, { id }) => detailFor(ctx, id)),
  query(getOutboxState, outboxState),
  command(resendMessage, async (ctx, { id }) => {
    const row = existing(await lockInSight(ctx.tx, sightOf(ctx.actor), id))
    if (!messageState.can(row.state, 'resend')) refuse('message.state')
    if (row.isSecret && !row.sealedBody) refuse('message.secretGone')
    const state = messageState.to('resend')
    await sql`update outbox_message set state = ${state}, tries = 0, error = null, next_try_at = ${ctx.now()}
      where id = ${id}`.execute(ctx.tx)
    await addJob(ctx.tx, DELIVER)
    await audit(ctx, { id, merchantId: row.merchantId }, { state: row.state }, { state })
    return { id, state }
  }),
]

/** @throws Refusal request.notFound for what is out of sight, or not of those */
export async function detailFor(ctx: QueryContext, id: number, only: RawBuilder<unknown> = sql`true`) {
  const found = existing(await findDetail(ctx.db, sightOf(ctx.actor), ctx.language, id, only))
  return { ...found, whyHeld: messageState.is(found.state, 'held') ? await whyHeld(ctx, found.channel) : null }
}

type WhyHeld = 'noProvider' | 'providerOff' | 'accountSilent'

async function whyHeld(ctx: QueryContext, channel: MessageChannel): Promise<WhyHeld> {
  if (channel === 'wechat') return 'accountSilent'
  const found = await sql`select 1 from push_provider where channel = ${channel}`.execute(ctx.db)
  return found.rows.length > 0 ? 'providerOff' : 'noProvider'
}

async function outboxState(ctx: QueryContext) {
  const found = await sql<{ held: number; failed: number; waiting: number }>`
    select count(*) filter (where state = 'held') as held, count(*) filter (where state = 'failed') as failed,
      count(*) filter (where state = 'waiting') as waiting
    from (select o.state from outbox_message o where o.state in ${statesIn(messageState, 'untold')}
      and ${merchantInSight(sightOf(ctx.actor), sql`o.merchant_id`)} limit 10000) counted`.execute(ctx.db)
  const carried = await carriedChannels(ctx.db)
  const missing = offeredChannels.filter((channel) => !carried.includes(channel))
  return { ...(found.rows[0] ?? { held: 0, failed: 0, waiting: 0 }), missing: [...missing] }
}

const audit = auditAs('pushMessage')
