import * as contract from '@aisle/contract/rights/role'
import { readCursor, writeCursor } from '../../kernel/cursor'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { allExternal } from './external.store'
import { permissionTree } from './permission.tree'
import { preview } from './preview'
import { copy, create, edit, givePermissions, remove } from './role.commands'
import { count, findDetail, isRoleKey, page } from './role.reads'

export const routes: Route[] = [
  query(contract.listRoles, async (ctx, input) => {
    const sight = sightOf(ctx.actor)
    const after = readCursor(input.cursor, isRoleKey(input.sort))
    const found = await page(ctx.db, sight, input, after)
    const items = found.slice(0, input.pageSize)
    const last = items.at(-1)
    const more = found.length > input.pageSize && last
    return {
      items,
      total: after ? null : await count(ctx.db, sight, input),
      nextCursor: more ? writeCursor({ key: last.sortKey, id: last.id }) : null,
    }
  }),
  query(contract.getRole, async (ctx, { id }) => {
    const found = await findDetail(ctx.db, sightOf(ctx.actor), id)
    return found ?? refuse('request.notFound')
  }),
  query(contract.getPermissionTree, async (ctx) => permissionTree(ctx.actor, ctx.language, await allExternal(ctx.db))),
  query(contract.previewPermissions, preview),
  command(contract.createRole, create),
  command(contract.editRole, edit),
  command(contract.copyRole, copy),
  command(contract.deleteRole, remove),
  command(contract.setPermissions, givePermissions),
]
