import type { BellMessage } from '@aisle/contract/notice/bell'
import type { Language } from '@aisle/contract/kernel/text'
import type { Quiet } from '@aisle/contract/notice/pushSetting'
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

type OwnType = { id: number; name: string; urgency: 'now' | 'canWait'; isMuted: boolean }

/** By what a person wants, and does not want, to be told. */
export async function findOwnPush(
  db: Reader,
  userId: number,
  language: Language,
): Promise<{ types: OwnType[]; quiet: Quiet | null }> {
  const types = await sql<OwnType>`select t.id, t.name ->> ${language} as name,
      case when t.can_wait then 'canWait' else 'now' end as urgency, m.user_id is not null as "isMuted"
    from message_type t left join push_mute m on m.type_id = t.id and m.user_id = ${userId}
    where t.is_on and not t.is_required and t.code <> 'push.test' order by t.can_wait desc, t.id`.execute(db)
  const quiet = await sql<Quiet>`select quiet_from as "from", quiet_to as "to" from push_quiet
    where user_id = ${userId}`.execute(db)
  return { types: types.rows, quiet: quiet.rows[0] ?? null }
}

/** Exactly so from now on. @returns how many types are muted: those that can wait */
export async function writeOwnPush(
  tx: Tx,
  userId: number,
  { mutedTypeIds, quiet }: { mutedTypeIds: readonly number[]; quiet: Quiet | null },
): Promise<number> {
  await sql`delete from push_mute where user_id = ${userId}`.execute(tx)
  const muted = await sql`insert into push_mute (user_id, type_id) select ${userId}, id from message_type
    where id = any(${[...mutedTypeIds]}::bigint[]) and can_wait`.execute(tx)
  await sql`delete from push_quiet where user_id = ${userId}`.execute(tx)
  if (quiet) {
    await sql`insert into push_quiet (user_id, quiet_from, quiet_to)
      values (${userId}, ${quiet.from}, ${quiet.to})`.execute(tx)
  }
  return Number(muted.numAffectedRows ?? 0)
}
