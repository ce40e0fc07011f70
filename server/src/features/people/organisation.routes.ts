import {
  addOrganisation,
  getOrganisation,
  moveOrganisation,
  removeOrganisation,
  renameOrganisation,
  resumeOrganisation,
  stopOrganisation,
  treeOrganisations,
} from '@aisle/contract/people/organisation'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { QueryContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import * as commands from './organisation.commands'
import * as store from './organisation.store'
import { findMerchant } from './user.store'

export const routes: Route[] = [
  query(treeOrganisations, (ctx, { merchantId }) => tree(ctx, merchantId ?? ctx.actor.merchantId)),
  query(getOrganisation, (ctx, { id }) => detail(ctx, id)),
  command(addOrganisation, commands.add),
  command(renameOrganisation, commands.rename),
  command(moveOrganisation, commands.move),
  command(stopOrganisation, (ctx, { id }) => commands.setState(ctx, id, 'stop')),
  command(resumeOrganisation, (ctx, { id }) => commands.setState(ctx, id, 'resume')),
  command(removeOrganisation, (ctx, { id }) => commands.remove(ctx, id)),
]

async function tree(ctx: QueryContext, merchantId: number): Promise<OutputOf<typeof treeOrganisations>> {
  const sight = sightOf(ctx.actor)
  const merchant = (await findMerchant(ctx.db, sight, merchantId)) ?? refuse('request.notFound')
  return {
    merchantId,
    merchantName: merchant.name,
    merchants: await store.listOwners(ctx.db, sight),
    items: await store.listOf(ctx.db, merchantId),
    unassigned: await store.countUnassigned(ctx.db, merchantId),
  }
}

async function detail(ctx: QueryContext, id: number): Promise<OutputOf<typeof getOrganisation>> {
  const sight = sightOf(ctx.actor)
  const unit = (await store.findInSight(ctx.db, sight, id)) ?? refuse('request.notFound')
  const [counted] = await store.branchOf(ctx.db, id)
  if (!counted) return refuse('request.notFound')
  return {
    ...counted,
    merchantId: unit.merchantId,
    above: await store.namesOf(ctx.db, unit.path.slice(0, -1)),
    members: await store.membersOf(ctx.db, id),
    machines: await store.machinesOf(ctx.db, sight, id),
  }
}
