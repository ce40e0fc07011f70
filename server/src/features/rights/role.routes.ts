import * as contract from '@aisle/contract/rights/role'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { allExternal } from './external.store'
import { permissionTree } from './permission.tree'
import { preview } from './preview'
import { copy, create, edit, givePermissions, remove } from './role.commands'
import { findRoleDetail, listRolesIn } from './role.reads'

export const routes: Route[] = [
  ...listOf(contract.listRoles, (ctx, input) => listRolesIn(sightOf(ctx.actor), input)),
  query(contract.getRole, async (ctx, { id }) => {
    const found = await findRoleDetail(ctx.db, sightOf(ctx.actor), id)
    return existing(found)
  }),
  query(contract.getPermissionTree, async (ctx) => permissionTree(ctx.actor, ctx.language, await allExternal(ctx.db))),
  query(contract.previewPermissions, preview),
  command(contract.createRole, create),
  command(contract.editRole, edit),
  command(contract.copyRole, copy),
  command(contract.deleteRole, remove),
  command(contract.setPermissions, givePermissions),
]
