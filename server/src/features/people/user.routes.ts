import {
  addUser,
  assignRoles,
  disableUser,
  editUser,
  enableUser,
  getUser,
  getUserChoices,
  listUsers,
  resetUserPassword,
  unblockUser,
  type UserDetail,
} from '@aisle/contract/people/user'
import { isCovered } from '@aisle/contract/identity/permissions'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { QueryContext } from '../../kernel/context'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { blockedUntil, isGreater } from '../identity/public'
import { rolesFor } from '../rights/public'
import { historyOf } from '../../kernel/history'
import * as commands from './user.commands'
import { findUserDetail, merchantsFor, listUsersIn, unitsFor } from './user.reads'
import { kindsToGive } from './user.rules'
import { findMerchant } from './user.store'

export const routes: Route[] = [
  ...listOf(listUsers, (ctx, input) => listUsersIn(sightOf(ctx.actor), input)),
  query(getUser, (ctx, { id }) => detail(ctx, id)),
  query(getUserChoices, (ctx, { merchantId }) => choices(ctx, merchantId ?? ctx.actor.merchantId)),
  command(addUser, commands.add, 'nothing'),
  command(editUser, commands.edit),
  command(assignRoles, commands.giveRoles),
  command(disableUser, (ctx, { id }) => commands.disable(ctx, id)),
  command(enableUser, (ctx, { id }) => commands.enable(ctx, id)),
  command(resetUserPassword, (ctx, { id }) => commands.resetPassword(ctx, id), 'nothing'),
  command(unblockUser, (ctx, { id }) => commands.unblockAccount(ctx, id)),
]

async function detail(ctx: QueryContext, id: number): Promise<UserDetail> {
  const user = existing(await findUserDetail(ctx.db, sightOf(ctx.actor), id, ctx.now()))
  const until = await blockedUntil(ctx.db, user.account, ctx.now())
  return {
    ...user,
    blockedUntil: until?.toISOString() ?? null,
    hindrance: id === ctx.actor.userId ? 'self' : (await isGreater(ctx, id)) ? 'holdsMore' : null,
    history: await historyOf(ctx.db, { kind: 'user', id, merchantId: user.merchantId }),
  }
}

async function choices(ctx: QueryContext, merchantId: number): Promise<OutputOf<typeof getUserChoices>> {
  const sight = sightOf(ctx.actor)
  const merchant = existing(await findMerchant(ctx.db, sight, merchantId))
  const roles = await rolesFor(ctx.db, merchantId)
  return {
    merchantId,
    merchants: await merchantsFor(ctx.db, sight),
    organisations: await unitsFor(ctx.db, merchantId),
    kinds: kindsToGive(ctx.actor, merchant.isPlatform),
    roles: roles.map(({ id, name, surface, isTemplate, permissions }) => {
      return { id, name, surface, isTemplate, permissions, isCovered: isCovered(ctx.actor.grants, permissions) }
    }),
  }
}
