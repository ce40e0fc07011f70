import type { Language } from '@aisle/contract/kernel/text'
import type { Channel } from '@aisle/contract/notice/messageType'
import { notificationState } from '@aisle/contract/notice/notice'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { Reader, Services, Tx } from '../../kernel/context'
import { type Audience, nextMeant } from './audience'
import { dispatch } from './dispatch'
import { findById } from './messageType.store'

/** People a transaction: small enough that a stopped server loses little, and others get their turn. */
const BATCH = 500

type Sending = Omit<Audience, 'merchantIds' | 'roleIds'> & {
  id: number
  typeId: number
  title: string
  body: string
  translations: Partial<Record<Language, { title: string; body: string }>>
  channels: Channel[]
  lastUserId: number
}

/** Sends what is left of a notice. It may be stopped anywhere, started again, or run twice at once. */
export async function sendNotice({ db, clock }: Pick<Services, 'db' | 'clock'>, id: number): Promise<void> {
  for (;;) {
    const isMore = await db.transaction().execute((tx) => sendBatch(tx, id, clock.now()))
    if (!isMore) return
  }
}

/** @returns whether there may be more; each batch commits with how far it came */
export async function sendBatch(tx: Tx, id: number, now: Date, most = BATCH): Promise<boolean> {
  const notice = await lockSending(tx, id)
  if (!notice) return false
  const audience = { ...notice, ...(await targetsOf(tx, id)) }
  const userIds = await nextMeant(tx, audience, notice.lastUserId, most)
  const added = await addReceivers(tx, id, userIds, now)
  const told = added.length
  if (told > 0) await tell(tx, notice, added, now)
  const isLast = userIds.length < most
  await sql`update notification set last_user_id = ${userIds.at(-1) ?? notice.lastUserId},
      state = ${isLast ? notificationState.to('finish') : 'sending'}, finished_at = ${isLast ? now : null},
      receivers = receivers + ${told}, expected = ${isLast ? sql`receivers + ${told}` : sql`expected`}
    where id = ${id}`.execute(tx)
  await announceProgress(tx, notice.merchantId)
  return !isLast
}

/** Whoever watches the notice sees it go on. */
async function announceProgress(tx: Tx, merchantId: number): Promise<void> {
  const found = await sql<{ path: number[] }>`select path from merchant where id = ${merchantId}`.execute(tx)
  const above = found.rows[0]?.path ?? []
  await announce(tx, { topic: 'changes', kinds: ['notification'], merchantIds: [merchantId], above })
}

async function lockSending(tx: Tx, id: number): Promise<Sending | undefined> {
  const found = await sql<Sending>`select id, merchant_id as "merchantId", type_id as "typeId", title, body,
      translations, channels, target, with_children as "withChildren", last_user_id as "lastUserId"
    from notification where id = ${id} and state = 'sending' for update`.execute(tx)
  return found.rows[0]
}

export async function targetsOf(db: Reader, id: number): Promise<Pick<Audience, 'merchantIds' | 'roleIds'>> {
  const found = await sql<{ merchantId: number | null; roleId: number | null }>`
    select merchant_id as "merchantId", role_id as "roleId" from notification_target
    where notification_id = ${id}`.execute(db)
  const isId = (each: number | null): each is number => each !== null
  return {
    merchantIds: found.rows.map(({ merchantId }) => merchantId).filter(isId),
    roleIds: found.rows.map(({ roleId }) => roleId).filter(isId),
  }
}

/** @returns who had not been told yet */
async function addReceivers(tx: Tx, id: number, userIds: readonly number[], now: Date): Promise<number[]> {
  const added = await sql<{ id: number }>`insert into notification_receiver (notification_id, user_id, sent_at)
    select ${id}, unnest(${[...userIds]}::bigint[]), ${now} on conflict do nothing returning user_id as id`.execute(tx)
  return added.rows.map((row) => row.id)
}

/** @param round of reminders; 0 is the first telling */
export async function tell(
  tx: Tx,
  notice: Omit<Sending, 'target' | 'withChildren' | 'lastUserId' | 'merchantId'>,
  userIds: readonly number[],
  now: Date,
  round = 0,
): Promise<void> {
  const type = await findById(tx, notice.typeId)
  if (!type) throw new Error(`notification ${notice.id} has no type`)
  const own = { title: notice.title, body: notice.body }
  await dispatch(tx, {
    type,
    userIds,
    channels: notice.channels,
    words: (language) => notice.translations[language] ?? own,
    vars: own,
    reference: `notification:${notice.id}${round > 0 ? `:${round}` : ''}`,
    notificationId: notice.id,
    at: now,
  })
}
