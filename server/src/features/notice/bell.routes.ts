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
import { announce } from '../../kernel/announce'
import type { QueryContext } from '../../kernel/context'
import { command, query, type Route } from '../../kernel/route'
import { settingOf } from '../../kernel/settings'
import { bellPage, findOwnPush, markRead, unreadOf, writeOwnPush } from './bell.store'
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
    ...(await findOwnPush(ctx.db, ctx.actor.userId, ctx.language)),
    merchantQuiet: await settingOf(ctx.db, quietHours, ctx.actor.merchantId),
  })),
  command(saveOwnPush, async (ctx, { mutedTypeIds, quiet }) => {
    const { userId, merchantId } = ctx.actor
    const before = await findOwnPush(ctx.tx, userId, ctx.language)
    const muted = await writeOwnPush(ctx.tx, userId, { mutedTypeIds, quiet })
    const was = { muted: before.types.filter(({ isMuted }) => isMuted).map(({ id }) => id), quiet: before.quiet }
    const now = { muted: mutedTypeIds, quiet }
    await ctx.audit({ merchantId, objectKind: 'ownPush', objectId: userId, before: was, after: now })
    return { muted }
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
