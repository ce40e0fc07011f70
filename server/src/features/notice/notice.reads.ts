import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import type { getNotification, listNotifications, listReceivers, Notification } from '@aisle/contract/notice/notice'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, listRows } from '../../kernel/list'
import { merchantInSight, type Sight } from '../../kernel/scope'

const listed = (sight: Sight, language: Language) => sql`
  select n.id, n.title, t.name ->> ${language} as "typeLabel", m.name as "merchantName", u.display_name as "authorName",
    n.target, n.channels, n.state,
    to_json(case n.state when 'scheduled' then n.scheduled_at else coalesce(n.published_at, n.created_at) end) #>> '{}'
      as at,
    n.expected, n.receivers, n.read_count as "readCount"
  from notification n join message_type t on t.id = n.type_id join merchant m on m.id = n.merchant_id
  join app_user u on u.id = n.created_by
  where ${merchantInSight(sight, sql`n.merchant_id`)}`

export function list(db: Reader, sight: Sight, language: Language, input: InputOf<typeof listNotifications>) {
  const where = allOf([
    input.q && holds(sql`title`, input.q),
    input.state && sql`state = ${input.state}`,
    input.target && sql`target = ${input.target}`,
  ])
  const order = { by: sql`id`, type: 'bigint', newestFirst: true } as const
  return listRows<Notification>(db, { rows: listed(sight, language), where, order }, input)
}

type Detail = OutputOf<typeof getNotification>

export async function findDetail(
  db: Reader,
  sight: Sight,
  language: Language,
  id: number,
): Promise<Detail | undefined> {
  const found = await sql<Detail>`
    select seen.*, n.body, n.translations, n.with_children as "withChildren",
      to_json(n.created_at) #>> '{}' as "createdAt", to_json(n.scheduled_at) #>> '{}' as "scheduledAt",
      to_json(n.published_at) #>> '{}' as "publishedAt", to_json(n.finished_at) #>> '{}' as "finishedAt",
      array(select coalesce(m.code || ' · ' || m.name, r.name) from notification_target g
        left join merchant m on m.id = g.merchant_id left join role r on r.id = g.role_id
        where g.notification_id = n.id order by 1 limit 500) as "targetNames",
      (select jsonb_build_object(
          'waiting', count(*) filter (where state = 'waiting'), 'sent', count(*) filter (where state = 'sent'),
          'failed', count(*) filter (where state = 'failed'), 'held', count(*) filter (where state = 'held'))
        from outbox_message where notification_id = n.id and channel <> 'web') as outside
    from (${listed(sight, language)}) seen join notification n on n.id = seen.id where n.id = ${id}`.execute(db)
  return found.rows[0]
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
    order by r.user_id limit ${PAGE + 1}`.execute(db)
  const items = found.rows.slice(0, PAGE)
  return { items, nextAfter: found.rows.length > PAGE ? (items.at(-1)?.id ?? null) : null }
}

export type Held = {
  id: number
  merchantId: number
  title: string
  state: Notification['state']
  readCount: number
  receivers: number
}

/** The row for a verb, locked; nothing when it is out of sight. */
export async function lockInSight(tx: Reader, sight: Sight, id: number): Promise<Held | undefined> {
  const found = await sql<Held>`select n.id, n.merchant_id as "merchantId", n.title, n.state,
      n.read_count as "readCount", n.receivers
    from notification n where n.id = ${id} and ${merchantInSight(sight, sql`n.merchant_id`)} for update`.execute(tx)
  return found.rows[0]
}

export async function isInSight(db: Reader, sight: Sight, id: number): Promise<boolean> {
  const found = await sql`select 1 from notification n
    where n.id = ${id} and ${merchantInSight(sight, sql`n.merchant_id`)}`.execute(db)
  return found.rows.length > 0
}
