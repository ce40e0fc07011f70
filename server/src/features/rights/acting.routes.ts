import { stopViewing, switchRole, viewAs } from '@aisle/contract/rights/acting'
import { writeAudit } from '../../kernel/audit'
import type { Actor } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { findInSight } from './role.reads'
import { setSessionRole } from '../identity/public'

export const routes: Route[] = [
  command(switchRole, async (ctx, { roleId }) => {
    const { actor, tx } = ctx
    const role = roleId === null ? null : actor.roleChoices.find(({ id }) => id === roleId)
    if (role === undefined) return refuse('acting.notHeld')
    await setSessionRole(tx, actor, 'active_role_id', roleId)
    await ctx.audit({
      ...aboutSession(actor),
      before: { role: actor.activeRole?.name ?? null },
      after: { role: role?.name ?? null },
    })
    return {}
  }),
  command(viewAs, async (ctx, { id }) => {
    const { actor, tx } = ctx
    const role = existing(await findInSight(tx, sightOf(actor), id))
    await setSessionRole(tx, actor, 'view_role_id', id)
    await ctx.audit({ ...aboutSession(actor), before: null, after: { viewedRole: role.name } })
    return {}
  }),
  query(stopViewing, async (ctx) => {
    const { actor } = ctx
    if (!actor.viewedRole) return {}
    await ctx.db.transaction().execute(async (tx) => {
      await setSessionRole(tx, actor, 'view_role_id', null)
      const before = { viewedRole: actor.viewedRole?.name }
      await writeAudit(tx, ctx, stopViewing.name, { ...aboutSession(actor), before, after: null })
    })
    return {}
  }),
]

/** By the user: what names a session opens it, and belongs in no log. */
const aboutSession = ({ merchantId, userId }: Actor) => ({ merchantId, objectKind: 'session', objectId: userId })
