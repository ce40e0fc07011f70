import * as contract from '@aisle/contract/fleet/officialAccount'
import { existing } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { add, edit, hide, makeToken, move, remove, show } from './officialAccount.commands'
import { findDetail, listOfficialAccountsIn } from './officialAccount.reads'

export const routes: Route[] = [
  ...listOf(contract.listOfficialAccounts, (ctx, input) => listOfficialAccountsIn(sightOf(ctx.actor), input)),
  query(contract.getOfficialAccount, async (ctx, { id }) => {
    const found = await findDetail(ctx.db, sightOf(ctx.actor), id)
    return existing(found)
  }),
  command(contract.addOfficialAccount, add),
  command(contract.editOfficialAccount, edit),
  command(contract.stopOfficialAccount, (ctx, { id }) => move(ctx, id, 'stop')),
  command(contract.resumeOfficialAccount, (ctx, { id }) => move(ctx, id, 'resume')),
  command(contract.removeOfficialAccount, (ctx, { id }) => remove(ctx, id)),
  command(contract.makeAccountToken, (ctx, { id }) => makeToken(ctx, id), 'nothing'),
  command(contract.showAccount, show),
  command(contract.hideAccount, hide),
]
