import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { clearPushSetting, getPushSettings, savePushSetting } from '@aisle/contract/notice/pushSetting'
import { quietHours } from '@aisle/contract/system/settings'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { carriedChannels } from '../../kernel/outbox'
import { existing, refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { settingOf } from '../../kernel/settings'
import { findById } from './messageType.store'
import * as settingStore from './pushSetting.store'

/** The rules of one's own merchant; who acts for another merchant signs in there. */
export const routes: Route[] = [
  query(getPushSettings, async (ctx) => {
    const { merchantId } = ctx.actor
    return {
      settings: await settingStore.all(ctx.db, merchantId, ctx.language),
      quiet: await settingOf(ctx.db, quietHours, merchantId),
      choices: await settingStore.choices(ctx.db, merchantId),
      carried: await carriedChannels(ctx.db),
    }
  }),
  command(savePushSetting, save),
  command(clearPushSetting, async (ctx, { typeId }) => {
    const { merchantId } = ctx.actor
    const rule = existing(await settingStore.lock(ctx.tx, merchantId, typeId))
    await settingStore.remove(ctx.tx, rule.id)
    const { version: _, id: __, ...before } = rule
    await ctx.audit({ merchantId, objectKind: 'pushSetting', objectId: typeId, before, after: null })
    return { typeId }
  }),
]

async function save(ctx: CommandContext, input: InputOf<typeof savePushSetting>) {
  const { typeId, version, channels, roleIds, userIds, organisationIds } = input
  const { merchantId } = ctx.actor
  const type = existing(await findById(ctx.tx, typeId))
  const wanted = {
    channels,
    roleIds: sorted(roleIds),
    userIds: sorted(userIds),
    organisationIds: sorted(organisationIds),
  }
  if (wanted.roleIds.length + wanted.userIds.length + wanted.organisationIds.length === 0) refuse('pushSetting.target')
  const row = await settingStore.lock(ctx.tx, merchantId, typeId)
  refuseStale(ctx, { version }, { version: row?.version ?? 0 }, row ?? {}, wanted)
  if (!(await settingStore.areOwn(ctx.tx, merchantId, wanted))) refuse('pushSetting.target')
  const saved = await settingStore.write(ctx.tx, merchantId, typeId, wanted)
  await ctx.audit({
    merchantId,
    objectKind: 'pushSetting',
    objectId: type.code,
    before: row ? { channels: row.channels, roleIds: row.roleIds, userIds: row.userIds } : null,
    after: wanted,
  })
  return { typeId, version: saved }
}

const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
