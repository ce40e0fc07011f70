import type { InputOf } from '@aisle/contract/kernel/endpoint'
import {
  channelOf,
  listProviders,
  type ProviderConfig,
  saveProvider,
  testProvider,
} from '@aisle/contract/notice/pushSetting'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { platformRow } from '../../kernel/scope'
import { findByCode } from './messageType.store'
import * as providerStore from './provider.store'
import { queueHeld, queueTrial } from './push.store'

const DAY_MS = 24 * 3600_000

export const routes: Route[] = [
  query(listProviders, async (ctx) => {
    platformRow(ctx)
    const found = await providerStore.all(ctx.db)
    const items = found.map(({ secret, id: _, ...row }) => ({ ...row, hasSecret: secret !== null }))
    return { items }
  }),
  command(saveProvider, save, 'nothing'),
  command(testProvider, async (ctx, { channel, receiver }) => {
    platformRow(ctx)
    const provider = await providerStore.lock(ctx.tx, channel)
    if (!provider?.isOn) refuse('provider.missing')
    const type = await findByCode(ctx.tx, 'push.test')
    const [title, body] = [type?.title[ctx.language] ?? '', type?.body[ctx.language] ?? '']
    const { merchantId } = ctx.actor
    const messageId = await queueTrial(ctx.tx, { channel, merchantId, receiver, title, body, at: ctx.now() })
    await audit(ctx, { id: channel }, null, { test: messageId })
    return { messageId }
  }),
]

async function save(ctx: CommandContext, { config, isOn, secret, version }: InputOf<typeof saveProvider>) {
  platformRow(ctx)
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
  const saved = await providerStore.write(ctx.tx, { channel, isOn, config, secret: sealed })
  // What waited for a provider goes now, but for what is no news any more: a code of yesterday helps nobody.
  if (isOn) await queueHeld(ctx.tx, channel, new Date(ctx.now().getTime() - DAY_MS), ctx.now())
  await audit(ctx, { id: channel }, row ? { ...row.config, isOn: row.isOn } : null, {
    ...config,
    isOn,
    key: secret ? 'new' : 'kept',
  })
  return { channel, version: saved }
}

/** A key opens nothing at another provider, and what was told for one address is not sent to another. */
function isForSame(kept: ProviderConfig, wanted: ProviderConfig): boolean {
  return kept.kind === wanted.kind && addressOf(kept) === addressOf(wanted)
}

const addressOf = (config: ProviderConfig): string =>
  config.kind === 'smtp' ? [config.user, config.host, config.port].join(' ') : config.endpoint

const audit = auditAs('pushProvider')
