import {
  getBell,
  getOwnPush,
  getPendingReviews,
  MOST_UNREAD,
  readAllMessages,
  readMessages,
  saveOwnPush,
} from '@aisle/contract/notice/bell'
import { quietHours } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { QueryContext, Reader } from '../../kernel/context'
import { command, query, type Route } from '../../kernel/route'
import { settingOf } from '../../kernel/settings'
import { bellPage, markRead, unreadOf } from './bell.store'
import { pendingReviews } from './reviews'

export const routes: Route[] = [
  query(getBell, async (ctx, { before }) => ({
    unread: await unreadOf(ctx.db, ctx.actor.userId, MOST_UNREAD + 1),
    ...(await bellPage(ctx.db, ctx.actor.userId, ctx.language, before)),
  })),
  query(readMessages, (ctx, { ids }) => read(ctx, ids)),
  query(readAllMessages, (ctx) => read(ctx, null)),
  query(getPendingReviews, pendingReviews),
  query(getOwnPush, async (ctx) => ({
    ...(await ownPush(ctx.db, ctx)),
    merchantQuiet: await settingOf(ctx.db, quietHours, ctx.actor.merchantId),
  })),
  command(saveOwnPush, async (ctx, { mutedTypeIds, quiet }) => {
    const { userId, merchantId } = ctx.actor
    const before = await ownPush(ctx.tx, ctx)
    await sql`delete from push_mute where user_id = ${userId}`.execute(ctx.tx)
    const muted = await sql`insert into push_mute (user_id, type_id) select ${userId}, id from message_type
      where id = any(${mutedTypeIds}::bigint[]) and can_wait`.execute(ctx.tx)
    await sql`delete from push_quiet where user_id = ${userId}`.execute(ctx.tx)
    if (quiet) {
      await sql`insert into push_quiet (user_id, quiet_from, quiet_to)
        values (${userId}, ${quiet.from}, ${quiet.to})`.execute(ctx.tx)
    }
    const was = { muted: before.types.filter(({ isMuted }) => isMuted).map(({ id }) => id), quiet: before.quiet }
    const now = { muted: mutedTypeIds, quiet }
    await ctx.audit({ merchantId, objectKind: 'ownPush', objectId: userId, before: was, after: now })
    return { muted: Number(muted.numAffectedRows ?? 0) }
  }),
]

/** Other tabs of the same person hear of it, and so does the count of the notice. */
async function read(ctx: QueryContext, ids: readonly number[] | null): Promise<{ unread: number }> {
  const { userId } = ctx.actor
  await ctx.services.db.transaction().execute(async (tx) => {
    const isChanged = await markRead(tx, userId, ids, ctx.now())
    if (isChanged) await announce(tx, { topic: 'messages', userIds: [userId] })
  })
  return { unread: await unreadOf(ctx.db, userId, MOST_UNREAD + 1) }
}

type OwnType = { id: number; name: string; urgency: 'now' | 'canWait'; isMuted: boolean }

async function ownPush(db: Reader, { actor, language }: Pick<QueryContext, 'actor' | 'language'>) {
  const types = await sql<OwnType>`select t.id, t.name ->> ${language} as name,
      case when t.can_wait then 'canWait' else 'now' end as urgency, m.user_id is not null as "isMuted"
    from message_type t left join push_mute m on m.type_id = t.id and m.user_id = ${actor.userId}
    where t.is_on and not t.is_required and t.code <> 'push.test' order by t.can_wait desc, t.id`.execute(db)
  const quiet = await sql<{ from: string; to: string }>`select quiet_from as "from", quiet_to as "to" from push_quiet
    where user_id = ${actor.userId}`.execute(db)
  return { types: types.rows, quiet: quiet.rows[0] ?? null }
}
