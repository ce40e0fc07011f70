import type { BellMessage } from '@aisle/contract/notice/bell'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'

const PAGE = 20
const own = (userId: number) => sql`o.user_id = ${userId} and o.channel = 'web' and o.state = 'sent'`

/** @param most counting stops there: a bell does not show more */
export async function unreadOf(db: Reader, userId: number, most: number): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) as count from (
    select 1 from outbox_message o where ${own(userId)} and o.read_at is null limit ${sql.lit(most)}) counted`.execute(
    db,
  )
  return found.rows[0]?.count ?? 0
}

export async function bellPage(
  db: Reader,
  userId: number,
  language: Language,
  before: number | undefined,
): Promise<{ items: BellMessage[]; nextBefore: number | null }> {
  const found = await sql<BellMessage>`
    select o.id, o.type, coalesce(t.name ->> ${language}, o.type) as "typeLabel", o.title, o.body,
      to_json(o.created_at) #>> '{}' as at, to_json(o.read_at) #>> '{}' as "readAt"
    from outbox_message o left join message_type t on t.code = o.type
    where ${own(userId)} and ${before ? sql`o.id < ${before}` : sql`true`}
    order by o.id desc limit ${sql.lit(PAGE + 1)}`.execute(db)
  const items = found.rows.slice(0, PAGE)
  return { items, nextBefore: found.rows.length > PAGE ? (items.at(-1)?.id ?? null) : null }
}

/** @param ids null: all. @returns whether anything was unread */
export async function markRead(tx: Tx, userId: number, ids: readonly number[] | null, now: Date): Promise<boolean> {
  const which = ids ? sql`o.id = any(${[...ids]}::bigint[])` : sql`true`
  const read = await sql<{ notificationId: number | null }>`update outbox_message o set read_at = ${now}
    where ${own(userId)} and o.read_at is null and ${which} returning notification_id as "notificationId"`.execute(tx)
  const noticeIds = [...new Set(read.rows.flatMap(({ notificationId }) => notificationId ?? []))]
  if (noticeIds.length > 0) await countRead(tx, userId, noticeIds, now)
  return read.rows.length > 0
}

/** A notice counts a person once, whichever of its messages they read; in one order, so that nobody waits in a ring. */
async function countRead(tx: Tx, userId: number, noticeIds: readonly number[], now: Date): Promise<void> {
  await sql`with first_read as (
      update notification_receiver set read_at = ${now}
      where user_id = ${userId} and notification_id = any(${[...noticeIds]}::bigint[]) and read_at is null
      returning notification_id),
    ordered as (
      select id from notification where id in (select notification_id from first_read) order by id for update)
    update notification n set read_count = n.read_count + 1 from ordered where n.id = ordered.id`.execute(tx)
}
