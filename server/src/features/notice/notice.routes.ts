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
import type { Channel } from '@aisle/contract/notice/messageType'
import { sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'
import { command, listOf, query, type Route } from '../../kernel/route'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { countMeant, rolesInSight } from './audience'
import { add, audienceOf, publish, remind, withdraw } from './notice.commands'
import { findDetail, notices, receivers } from './notice.reads'

export const routes: Route[] = [
  ...listOf(listNotifications, notices.list),
  query(getNotification, findDetail),
  query(listReceivers, async (ctx, input) => {
    await notices.get(ctx, input)
    return receivers(ctx.db, input)
  }),
  query(getNotificationChoices, choices),
  query(countReceivers, async (ctx, input) => {
    const { unknown, ...audience } = await audienceOf(ctx, input)
    return { count: await countMeant(ctx.db, audience), unknown }
  }),
  command(addNotification, add),
  command(publishNotification, (ctx, { id }) => publish(ctx, id)),
  command(withdrawNotification, (ctx, { id }) => withdraw(ctx, id)),
  command(remindNotification, (ctx, { id }) => remind(ctx, id)),
]

type ChoiceOfType = { id: number; code: string; name: string; channels: Channel[] }

async function choices(ctx: QueryContext) {
  const sight = sightOf(ctx.actor)
  const types = await sql<ChoiceOfType>`select id, code, name ->> ${ctx.language} as name, channels from message_type
    where code like 'notice.%' and is_on order by id`.execute(ctx.db)
  const merchants = await sql<{ code: string; name: string }>`select m.code, m.name from merchant m
    where ${merchantInSight(sight, sql`m.id`)} and m.state = 'active' order by m.path limit 2000`.execute(ctx.db)
  return { types: types.rows, merchants: merchants.rows, roles: await rolesInSight(ctx.db, sight) }
}
