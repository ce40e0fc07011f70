import {
  getClientSettings,
  getEntranceSettings,
  listSettings,
  resetSetting,
  saveSetting,
} from '@aisle/contract/system/setting'
import { existing } from '../../kernel/refuse'
import { command, open, query, type Route } from '../../kernel/route'
import { isPlatform, sightOf } from '../../kernel/scope'
import { reset, save } from './setting.commands'
import { chooserInSight, clientSettings, entranceSettings, settingsFor } from './setting.reads'

export const routes: Route[] = [
  query(listSettings, async (ctx, input) => {
    const askedId = input.merchantId ?? ctx.actor.merchantId
    const chooser = existing(await chooserInSight(ctx.db, sightOf(ctx.actor), askedId))
    const items = await settingsFor(ctx.db, chooser, isPlatform(ctx))
    return { merchantId: chooser.id, merchantName: chooser.name, items }
  }),
  command(saveSetting, save),
  command(resetSetting, reset),
  query(getClientSettings, (ctx) => clientSettings(ctx.db, ctx.actor.merchantId)),
  open(getEntranceSettings, (ctx, { entrance }) => entranceSettings(ctx.db, entrance)),
]
