import { sql } from 'kysely'
import { seal } from '../../kernel/seal'
import { sealedAbout } from '../../kernel/outbox'
import type { AuthKeys, Tx } from '../../kernel/context'
import { feedbacks, messages, notices, type NoticeSeed } from '../data/messages'
import { DEMO_OPERATOR, PLATFORM } from '../data/merchants'
import { type Ids, idOf } from './people'

const HOUR_MS = 3600_000

type Around = { merchantIds: Ids; userIds: Ids; keys: AuthKeys; now: Date }

/** Notices in every state, messages as they went out or wait for a provider, and what people said. */
export async function seedMessages(tx: Tx, around: Around): Promise<void> {
  for (const notice of notices) await seedNotice(tx, notice, around)
  for (const message of messages) {
    const { user, hoursAgo, type, channel, receiver, title, body, state, isSecret = false, error = null } = message
    const at = new Date(around.now.getTime() - hoursAgo * HOUR_MS)
    const sealed = isSecret ? seal(around.keys, sealedAbout(receiver), JSON.stringify({ body, vars: null })) : null
    await sql`insert into outbox_message (type, channel, merchant_id, user_id, receiver, title, body, sealed_body,
        is_secret, state, tries, error, provider, created_at, next_try_at, sent_at, read_at)
      values (${type}, ${channel}, ${idOf(around.merchantIds, DEMO_OPERATOR)}, ${idOf(around.userIds, user)},
        ${receiver}, ${title}, ${isSecret ? '' : body}, ${sealed}, ${isSecret}, ${state}, ${state === 'failed' ? 6 : 0},
        ${error}, ${state === 'failed' ? 'smtp' : null}, ${at}, ${at}, ${state === 'sent' ? at : null},
        ${state === 'sent' && hoursAgo > 24 ? at : null})`.execute(tx)
  }
  for (const { user, hoursAgo, kind, body, contact, page, state } of feedbacks) {
    await sql`insert into feedback (merchant_id, user_id, kind, body, contact, page, state, created_at)
      values (${idOf(around.merchantIds, DEMO_OPERATOR)}, ${idOf(around.userIds, user)}, ${kind}, ${body}, ${contact},
        ${page}, ${state}, ${new Date(around.now.getTime() - hoursAgo * HOUR_MS)})`.execute(tx)
  }
}

async function seedNotice(tx: Tx, notice: NoticeSeed, { merchantIds, userIds, now }: Around): Promise<void> {
  const at = new Date(now.getTime() - notice.hoursAgo * HOUR_MS)
  const merchantId = idOf(merchantIds, PLATFORM)
  const isOut = notice.state === 'sent' || notice.state === 'withdrawn'
  const scheduledAt = notice.state === 'scheduled' ? new Date(now.getTime() + 20 * HOUR_MS) : null
  const made = await sql<{ id: number }>`insert into notification (merchant_id, type_id, title, body, translations,
      channels, target, with_children, state, scheduled_at, published_at, finished_at, created_by, created_at)
    select ${merchantId}, id, ${notice.title}, ${notice.body}, ${JSON.stringify(notice.translations ?? {})}, '{web}',
      ${notice.merchants ? 'merchants' : 'all'}, true, ${notice.state}, ${scheduledAt}, ${isOut ? at : null},
      ${isOut ? at : null}, ${idOf(userIds, 'admin')}, ${at}
    from message_type where code = ${notice.type} returning id`.execute(tx)
  const id = made.rows[0]?.id ?? 0
  const targets = (notice.merchants ?? []).map((code) => idOf(merchantIds, code))
  await sql`insert into notification_target (notification_id, merchant_id)
    select ${id}, unnest(${targets}::bigint[])`.execute(tx)
  const named = targets.length > 0 ? targets : [merchantId]
  const meant = sql`select u.id, u.merchant_id from app_user u join merchant m on m.id = u.merchant_id
    where m.path && ${named}::bigint[]`
  if (!isOut) {
    await sql`update notification set expected = (select count(*) from (${meant}) u) where id = ${id}`.execute(tx)
    return
  }
  // Two of three read a notice within the first hours.
  await sql`insert into notification_receiver (notification_id, user_id, sent_at, read_at)
    select ${id}, u.id, ${at}, case when u.id % 3 <> 0 then ${at}::timestamptz + u.id % 7 * interval '20 minutes' end
    from (${meant}) u`.execute(tx)
  await sql`insert into outbox_message (type, channel, merchant_id, user_id, title, body, state, notification_id,
      reference, created_at, next_try_at, sent_at, read_at)
    select ${notice.type}, 'web', u.merchant_id, u.id, ${notice.title}, ${notice.body},
      ${notice.state === 'withdrawn' ? 'withdrawn' : 'sent'}, ${id},
      'notification:' || ${id}::text || ':' || u.id || ':web', ${at}, ${at}, ${at}, r.read_at
    from (${meant}) u join notification_receiver r on r.notification_id = ${id} and r.user_id = u.id`.execute(tx)
  await sql`update notification n set receivers = r.told, expected = r.told, read_count = r.read
    from (select count(*) as told, count(read_at) as read from notification_receiver where notification_id = ${id}) r
    where n.id = ${id}`.execute(tx)
}
