import { settingNamed } from '@aisle/contract/system/setting'
import type { Setting } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { existing, refuse } from '../../kernel/refuse'
import { isPlatform, refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import { dropSetting, putSetting, settingOf } from '../../kernel/settings'
import { tellEveryone } from './platform'
import { chooserInSight } from './setting.reads'

type Chosen = { key: string; merchantId?: number | undefined; version: number }
type Own = { value: unknown; version: number }

export async function save(ctx: CommandContext, input: Chosen & { value: unknown }): Promise<{ version: number }> {
  const { setting, ownerId, own, holds } = await lockOwn(ctx, input, input.value)
  const value = setting.schema.parse(input.value)
  if (setting.kind === 'merchant' && value !== null) {
    await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), Number(value))
  }
  const version = (own?.version ?? 0) + 1
  const by = { userId: ctx.actor.userId, at: ctx.now() }
  await putSetting(ctx.tx, { key: setting.key, merchantId: ownerId, value, version, by })
  await refuseRaised(ctx, setting, holds)
  await record(ctx, setting, { ownerId, before: own ? { value: own.value } : null, after: { value } })
  return { version }
}

export async function reset(ctx: CommandContext, input: Chosen): Promise<{ version: number }> {
  const { setting, ownerId, own, holds } = await lockOwn(ctx, input, null)
  await dropSetting(ctx.tx, { key: setting.key, merchantId: ownerId })
  await refuseRaised(ctx, setting, holds)
  await record(ctx, setting, { ownerId, before: own ? { value: own.value } : null, after: null })
  return { version: 0 }
}

/** The value of the merchant itself (of the platform for what has one value), which nobody else changes meanwhile. */
async function lockOwn(ctx: CommandContext, { key, merchantId, version }: Chosen, wanted: unknown) {
  const setting = settingNamed(key)
  if (setting.level === 'platform' && !isPlatform(ctx)) refuse('setting.platformOnly')
  const askedId = merchantId ?? ctx.actor.merchantId
  const chooser = existing(await chooserInSight(ctx.tx, sightOf(ctx.actor), askedId))
  const ownerId = setting.level === 'platform' ? null : chooser.id
  // A row that is not there yet can't be locked, and two first choices must not meet.
  await sql`select pg_advisory_xact_lock(hashtext(${`setting ${key} ${ownerId}`}))`.execute(ctx.tx)
  const found = await sql<Own>`select value, version from setting
    where key = ${key} and merchant_id is not distinct from ${ownerId}`.execute(ctx.tx)
  const own = found.rows[0]
  refuseStale(ctx, { version }, { version: own?.version ?? 0 }, { value: own?.value ?? null }, { value: wanted })
  const holds = { merchantId: chooser.id, value: await settingOf(ctx.tx, setting, chooser.id) }
  return { setting, ownerId, own, holds }
}

type Holds = { merchantId: number; value: unknown }

/** By a value, by giving one up: whom a limit holds would approve their own with a higher one. */
async function refuseRaised(ctx: CommandContext, setting: Setting, before: Holds): Promise<void> {
  if (!setting.isLimit || isPlatform(ctx)) return
  const now = await settingOf(ctx.tx, setting, before.merchantId)
  if (Number(now) > Number(before.value)) refuse('setting.raisedByPlatform')
}

type Change = { ownerId: number | null; before: Record<string, unknown> | null; after: Record<string, unknown> | null }

async function record(ctx: CommandContext, setting: Setting, { ownerId, before, after }: Change): Promise<void> {
  const merchantId = ownerId ?? ctx.actor.merchantId
  await ctx.audit({ merchantId, objectKind: 'setting', objectId: setting.key, before, after })
  // Everybody below takes it over, and the merchants below are not told of what happens above them otherwise.
  await tellEveryone(ctx.tx, 'setting')
}
