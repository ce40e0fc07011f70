import * as contract from '@aisle/contract/merchant/merchant'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import * as commands from './merchant.commands'
import * as reads from './merchant.reads'

export const routes: Route[] = [
  query(contract.listMerchants, async (ctx) => ({ items: await reads.listInSight(ctx.db, sightOf(ctx.actor)) })),
  ...listOf(contract.listMerchantTree, (ctx, input) => reads.listTree(sightOf(ctx.actor), input)),
  query(contract.getMerchant, (ctx, { id }) => reads.find(ctx.db, ctx.actor, id)),
  query(contract.listServicePhones, async (ctx) => ({ items: await reads.servicePhones(ctx.db, sightOf(ctx.actor)) })),
  command(contract.createMerchant, commands.create, 'nothing'),
  command(contract.editMerchant, commands.edit),
  command(contract.stopMerchant, commands.stop),
  command(contract.resumeMerchant, commands.resume),
  command(contract.moveMerchant, commands.move),
  command(contract.deleteMerchant, commands.remove),
  command(contract.setServicePhone, commands.changeServicePhone),
]
