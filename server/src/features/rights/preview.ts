import type { MenuTree } from '@aisle/contract/identity/session'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { previewPermissions } from '@aisle/contract/rights/role'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { word } from '../../kernel/words'
import { menuTree, shownPlanOf } from '../identity/public'
import { externalCodes } from './external.store'
import { wantedGrants, written } from './grants.rules'
import { findInSight, holderIds } from './role.reads'

/** What a change would do: for the role by itself, and for how many people it makes a difference. */
export async function preview(
  ctx: QueryContext,
  { id, permissions }: InputOf<typeof previewPermissions>,
): Promise<OutputOf<typeof previewPermissions>> {
  const role = existing(await findInSight(ctx.db, sightOf(ctx.actor), id))
  const external = await externalCodes(ctx.db)
  const wanted = wantedGrants(role.grants, permissions, external)
  if (wanted.unknown.length > 0) refuse('role.unknownPermission', { codes: wanted.unknown.slice(0, 5).join(', ') })
  const plan = await shownPlanOf(ctx.db, role.merchantId)
  const pagesOf = (grants: readonly string[]) =>
    pagesIn(menuTree(grants, (key) => word(ctx.language, 'screens', key), plan, ctx.language))
  const [before, after] = [pagesOf(role.grants), pagesOf(wanted.stored)]
  const users = await holderIds(ctx.db, id)
  const changed = [...wanted.granted, ...wanted.taken]
  return {
    menus: {
      appear: after.filter(({ path }) => !before.some((page) => page.path === path)),
      vanish: before.filter(({ path }) => !after.some((page) => page.path === path)),
    },
    granted: wanted.granted,
    taken: wanted.taken,
    users: users.length,
    untouched: changed.length === 0 ? users.length : await countUntouched(ctx.db, id, changed, external),
  }
}

type Page = { path: string; title: string }

const pagesIn = (tree: MenuTree): Page[] =>
  (tree[0]?.children ?? [])
    .flatMap(({ children = [] }) => children)
    .flatMap((branch) => branch.children ?? [branch])
    .map(({ path, title }) => ({ path, title }))

/** Holders whose other roles of the same surface grant all that would change. */
async function countUntouched(db: Reader, roleId: number, changed: string[], external: string[]): Promise<number> {
  const found = await sql<{ grants: string[] }>`
    select array(select distinct p.permission from user_role others join role o on o.id = others.role_id
        join role_permission p on p.role_id = o.id
        where others.user_id = ur.user_id and o.id <> r.id and o.surface = r.surface) as grants
    from user_role ur join role r on r.id = ur.role_id where ur.role_id = ${roleId}`.execute(db)
  return found.rows.filter(({ grants }) => {
    const has = new Set(written(grants, external))
    return changed.every((code) => has.has(code))
  }).length
}
