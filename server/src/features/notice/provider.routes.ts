import { messageState } from '@aisle/contract/notice/push'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import {
  channelOf,
  listProviders,
  type ProviderConfig,
  saveProvider,
  testProvider,
} from '@aisle/contract/notice/pushSetting'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { addJob } from '../../kernel/jobs'
import { only } from '../../kernel/must'
import { DELIVER } from '../../kernel/outbox'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { findByCode } from './messageType.store'
import * as providerStore from './provider.store'
import { stateTo } from '../../kernel/states'

const DAY_MS = 24 * 3600_000

export const routes: Route[] = [
  query(listProviders, async (ctx) => {
    platformOnly(ctx)
    const found = await providerStore.all(ctx.db)
    const items = found.map(({ secret, id: _, ...row }) => ({ ...row, hasSecret: secret !== null }))
    return { items }
  }),
  command(saveProvider, save, 'nothing'),
  command(testProvider, async (ctx, { channel, receiver }) => {
    platformOnly(ctx)
    const provider = await providerStore.lock(ctx.tx, channel)
    if (!provider?.isOn) refuse('provider.missing')
    const type = await findByCode(ctx.tx, 'push.test')
    const made = await sql<{ id: number }>`insert into outbox_message
        (type, channel, merchant_id, receiver, title, body, created_at, next_try_at)
      values ('push.test', ${channel}, ${ctx.actor.merchantId}, ${receiver}, ${type?.title[ctx.language] ?? ''},
        ${type?.body[ctx.language] ?? ''}, ${ctx.now()}, ${ctx.now()}) returning id`.execute(ctx.tx)
    const messageId = only(made).id
    await addJob(ctx.tx, DELIVER)
    await audit(ctx, { id: channel }, null, { test: messageId })
    return { messageId }
  }),
]

async function save(ctx: CommandContext, { config, isOn, secret, version }: InputOf<typeof saveProvider>) {
  platformOnly(ctx)
  const channel = channelOf(config.kind)
  const row = await providerStore.lock(ctx.tx, channel)
  refuseStale(
    ctx,
    { version },
    { version: row?.version ?? 0 },
    { config: row?.config, isOn: row?.isOn },
    { config, isOn },
  )
  const kept = row && isForSame(row.config, config) ? row.secret : null
  const isNeeded = config.kind !== 'smtp' || config.user !== ''
  if (isNeeded && !secret && !kept) refuse('provider.secretMissing')
  const sealed = secret ? providerStore.sealSecret(ctx.services.keys, channel, secret) : kept
  const saved = await sql<{ version: number }>`insert into push_provider (channel, kind, is_on, config, secret)
    values (${channel}, ${config.kind}, ${isOn}, ${JSON.stringify(config)}, ${sealed})
    on conflict (channel) do update set kind = excluded.kind, is_on = excluded.is_on, config = excluded.config,
      secret = excluded.secret, version = push_provider.version + 1 returning version`.execute(ctx.tx)
  if (isOn) await release(ctx, channel)
  await audit(ctx, { id: channel }, row ? { ...row.config, isOn: row.isOn } : null, {
    ...config,
    isOn,
    key: secret ? 'new' : 'kept',
  })
  return { channel, version: saved.rows[0]?.version ?? 0 }
}

/** A key opens nothing at another provider, and what was told for one address is not sent to another. */
function isForSame(kept: ProviderConfig, wanted: ProviderConfig): boolean {
  return kept.kind === wanted.kind && addressOf(kept) === addressOf(wanted)
}

const addressOf = (config: ProviderConfig): string =>
  config.kind === 'smtp' ? [config.user, config.host, config.port].join(' ') : config.endpoint

/** What waited for a provider goes now, but for what is no news any more: a code of yesterday helps nobody. */
async function release(ctx: CommandContext, channel: string): Promise<void> {
  const since = new Date(ctx.now().getTime() - DAY_MS)
  await sql`update outbox_message set state = ${stateTo(messageState, 'resend')}, tries = 0, error = null,
      next_try_at = ${ctx.now()}
    where state = 'held' and channel = ${channel} and not is_secret and created_at > ${since}`.execute(ctx.tx)
  await addJob(ctx.tx, DELIVER)
}

/** Providers are the platform's; to everybody else there are none. */
function platformOnly(ctx: QueryContext): void {
  if (sightOf(ctx.actor).kind !== 'all') refuse('request.notFound')
}

const audit = auditAs('pushProvider')
