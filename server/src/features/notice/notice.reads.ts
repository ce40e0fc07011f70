import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type getNotification, type listReceivers, notification } from '@aisle/contract/notice/notice'
import type { Language } from '@aisle/contract/kernel/text'
import type { Channel } from '@aisle/contract/notice/messageType'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { existing } from '../../kernel/refuse'
import { merchantInSight, type Sight } from '../../kernel/scope'

const instant = (at: RawBuilder<unknown>) => sql`to_json(${at}) #>> '{}'`

export const notices = kept(notification, {
  table: 'notification',
  joins: () => sql`join message_type t on t.id = notification.type_id
    join app_user author on author.id = notification.created_by`,
  facts: (_sight, _now, language) => ({
    typeLabel: sql`t.name ->> ${language}`,
    authorName: sql`author.display_name`,
    at: instant(sql`case notification.state when 'scheduled' then notification.scheduled_at
      else coalesce(notification.published_at, notification.created_at) end`),
    expected: sql`notification.expected`,
    receivers: sql`notification.receivers`,
    readCount: sql`notification.read_count`,
  }),
  search: ['title'],
})

type Detail = OutputOf<typeof getNotification>
type Progress = Pick<Detail, 'targetNames' | 'createdAt' | 'scheduledAt' | 'publishedAt' | 'finishedAt' | 'outside'>

export async function findNoticeDetail(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const notice = await notices.get(ctx, { id })
  const found = await sql<Progress>`
    select ${instant(sql`n.created_at`)} as "createdAt", ${instant(sql`n.scheduled_at`)} as "scheduledAt",
      ${instant(sql`n.published_at`)} as "publishedAt", ${instant(sql`n.finished_at`)} as "finishedAt",
      array(select coalesce(m.code || ' · ' || m.name, r.name) from notification_target g
        left join merchant m on m.id = g.merchant_id left join role r on r.id = g.role_id
        where g.notification_id = n.id order by 1 limit 500) as "targetNames",
      (select jsonb_build_object(
          'waiting', count(*) filter (where state = 'waiting'), 'sent', count(*) filter (where state = 'sent'),
          'failed', count(*) filter (where state = 'failed'), 'held', count(*) filter (where state = 'held'))
        from outbox_message where notification_id = n.id and channel <> 'web') as outside
    from notification n where n.id = ${id}`.execute(ctx.db)
  return { ...notice, ...existing(found.rows[0]) }
}

const PAGE = 50

export async function receivers(
  db: Reader,
  { id, read, after }: InputOf<typeof listReceivers>,
): Promise<OutputOf<typeof listReceivers>> {
  const which = read === 'read' ? sql`r.read_at is not null` : read === 'unread' ? sql`r.read_at is null` : sql`true`
  const found = await sql<OutputOf<typeof listReceivers>['items'][number]>`
    select u.id, u.display_name as name, m.name as "merchantName", to_json(r.sent_at) #>> '{}' as "sentAt",
      to_json(r.read_at) #>> '{}' as "readAt", r.reminders
    from notification_receiver r join app_user u on u.id = r.user_id join merchant m on m.id = u.merchant_id
    where r.notification_id = ${id} and r.user_id > ${after} and ${which}
    order by r.user_id limit ${sql.lit(PAGE + 1)}`.execute(db)
  const items = found.rows.slice(0, PAGE)
  return { items, nextAfter: found.rows.length > PAGE ? (items.at(-1)?.id ?? null) : null }
}

type ChoiceOfType = { id: number; code: string; name: string; channels: Channel[] }

export async function findChoices(db: Reader, sight: Sight, language: Language) {
  const types = await sql<ChoiceOfType>`select id, code, name ->> ${language} as name, channels from message_type
    where code like 'notice.%' and is_on order by id`.execute(db)
  const merchants = await sql<{ code: string; name: string }>`select m.code, m.name from merchant m
    where ${merchantInSight(sight, sql`m.id`)} and m.state = 'active' order by m.path limit 2000`.execute(db)
  return { types: types.rows, merchants: merchants.rows }
}
