import {
  addNotification,
  countReceivers,
  getNotification,
  getNotificationChoices,
  listNotifications,
  listReceivers,
  publishNotification,
  remindNotification,
  withdrawNotification,
} from '@aisle/contract/notice/notice'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { countMeant, rolesInSight } from './audience'
import { add, audienceOf, publish, remind, withdraw } from './notice.commands'
import { findChoices, findNoticeDetail, notices, receivers } from './notice.reads'

export const routes: Route[] = [
  ...listOf(listNotifications, notices.list),
  query(getNotification, findNoticeDetail),
  query(listReceivers, async (ctx, input) => {
    await notices.get(ctx, input)
    return receivers(ctx.db, input)
  }),
  query(getNotificationChoices, async ({ db, actor, language }) => ({
    ...(await findChoices(db, sightOf(actor), language)),
    roles: await rolesInSight(db, sightOf(actor)),
  })),
  query(countReceivers, async (ctx, input) => {
    const { unknown, ...audience } = await audienceOf(ctx, input)
    return { count: await countMeant(ctx.db, audience), unknown }
  }),
  command(addNotification, add),
  command(publishNotification, (ctx, { id }) => publish(ctx, id)),
  command(withdrawNotification, (ctx, { id }) => withdraw(ctx, id)),
  command(remindNotification, (ctx, { id }) => remind(ctx, id)),
]
