import * as contract from '@aisle/contract/rights/menu'
import { existing } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { arrange, edit, reset } from './menu.commands'
import { merchantToArrange, wholeMenu } from './menu.reads'

export const routes: Route[] = [
  query(contract.getMenu, async (ctx, { merchantId = ctx.actor.merchantId }) => {
    const merchant = await merchantToArrange(ctx.db, sightOf(ctx.actor), merchantId)
    return wholeMenu(ctx.db, existing(merchant))
  }),
  command(contract.editMenuItem, edit),
  command(contract.arrangeMenu, arrange),
  command(contract.resetMenu, reset),
]
