import { deviceOf, endOtherSessions, endOwnSession, listOwnSessions } from '@aisle/contract/identity/ownSessions'
import { announce } from '../../../kernel/announce'
import type { QueryContext } from '../../../kernel/context'
import { existing } from '../../../kernel/refuse'
import { command, query, type Route } from '../../../kernel/route'
import { SESSION_IDLE_MS } from '../../../kernel/token'
import { endAllBegun } from '../account/account.commands'
import * as accountStore from '../account/account.store'
import type { OpenSession } from './session.store'
import * as sessionStore from './session.store'
import { subnetOf } from '../signIn/subnet.rules'

export const routes: Route[] = [
  query(listOwnSessions, async (ctx) => {
    const { actor, db } = ctx
    const idleSince = new Date(ctx.now().getTime() - SESSION_IDLE_MS)
    const found = await sessionStore.listOpen(db, actor.userId, ctx.now(), idleSince)
    const account = await accountStore.findById(db, actor.userId)
    return { items: found.map((session) => shown(ctx, session)), isSingle: account?.isSingleSession ?? false }
  }),
  command(endOwnSession, async (ctx, { id }) => {
    const { actor, tx } = ctx
    const tokenHash = existing(await sessionStore.endOneOf(tx, actor.userId, id, ctx.now()))
    await announce(tx, { topic: 'session', tokenHash: tokenHash.toString('hex'), code: 'S9999' })
    await ctx.audit({ ...entry(ctx), objectId: id, after: { state: 'ended' } })
    return {}
  }),
  command(endOtherSessions, async (ctx) => {
    const { actor, tx } = ctx
    const ended = await endAllBegun(tx, actor.userId, 'sign_out', ctx.now(), { kept: actor.tokenHash })
    await ctx.audit({ ...entry(ctx), objectId: 'others', after: { ended } })
    return { ended }
  }),
]

const entry = ({ actor }: QueryContext) => ({ merchantId: actor.merchantId, objectKind: 'session', before: null })

function shown({ actor, ip }: QueryContext, session: OpenSession) {
  const { id, createdAt, lastSeenAt, endsAt, tokenHash } = session
  return {
    id,
    ...deviceOf(session.agent),
    ip: session.ip,
    isSameNetwork: subnetOf(session.ip) === subnetOf(ip),
    signedInAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    endsAt: endsAt.toISOString(),
    isThis: tokenHash.equals(actor.tokenHash),
  }
}
