import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import { type listPushMessages, messageState, type PushMessage } from '@aisle/contract/notice/push'
import { type RawBuilder, sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows } from '../../kernel/list'
import { addJob } from '../../kernel/jobs'
import { only } from '../../kernel/must'
import { DELIVER, masked } from '../../kernel/outbox'
import { withinDays } from '../../kernel/platformDays'
import { merchantInSight, type Sight } from '../../kernel/scope'
import { statesIn, stateTo } from '../../kernel/states'

type Filter = Omit<InputOf<typeof listPushMessages>, 'type'> & { type?: string | undefined }

const rowsInSight = (sight: Sight, language: Language): RawBuilder<PushMessage> => sql`
  select o.id, o.type, coalesce(t.name ->> ${language}, a.name, o.type) as "typeLabel", o.channel,
    m.name as "merchantName",
    u.display_name as "receiverName", o.receiver, o.title, o.body, o.is_secret as "isSecret",
    o.sealed_body is not null as "isKept", o.state, o.tries, o.provider, o.error, o.created_at, o.is_alarm,
    to_json(o.created_at) #>> '{}' as "createdAt", to_json(o.next_try_at) #>> '{}' as "nextTryAt",
    to_json(o.sent_at) #>> '{}' as "sentAt", to_json(o.read_at) #>> '{}' as "readAt"
  from outbox_message o join merchant m on m.id = o.merchant_id left join app_user u on u.id = o.user_id
  left join message_type t on t.code = o.type left join official_account a on a.id = o.account_id
  where ${merchantInSight(sight, sql`o.merchant_id`)}`

export const onlyAlarms = sql`is_alarm`

export function list(
  sight: Sight,
  language: Language,
  filter: Filter,
  only: RawBuilder<unknown> = sql`true`,
): Listing<PushMessage> {
  const where = allOf([
    only,
    filter.q &&
      sql`(${holds(sql`title`, filter.q)} or receiver = ${filter.q}
      or ${holds(sql`"receiverName"`, filter.q)})`,
    isAnyOf(sql`type`, filter.type),
    isAnyOf(sql`channel`, filter.channel),
    isAnyOf(sql`state`, filter.state),
    ...withinDays(sql`created_at`, filter),
  ])
  const order = { by: sql`id`, type: 'bigint', newestFirst: true } as const
  return mapRows(listRows({ rows: rowsInSight(sight, language), where, order }), (rows) => rows.map(shown))
}

export async function findPushDetail(
  db: Reader,
  sight: Sight,
  language: Language,
  id: number,
  only: RawBuilder<unknown> = sql`true`,
): Promise<PushMessage | undefined> {
  const found = await sql<PushMessage>`select * from (${rowsInSight(sight, language)}) seen
    where id = ${id} and ${only}`.execute(db)
  const [row] = found.rows
  return row && shown(row)
}

const shown = (row: PushMessage): PushMessage => ({ ...row, receiver: masked(row.receiver) })

export type OutboxRow = {
  id: number
  merchantId: number
  userId: number | null
  state: PushMessage['state']
  receiver: string
  type: string
  isSecret: boolean
  sealedBody: Buffer | null
}

export async function lockInSight(tx: Reader, sight: Sight, id: number): Promise<OutboxRow | undefined> {
  const found =
    await sql<OutboxRow>`select o.id, o.merchant_id as "merchantId", o.user_id as "userId", o.state, o.receiver, o.type,
      o.is_secret as "isSecret", o.sealed_body as "sealedBody"
    from outbox_message o where o.id = ${id} and ${merchantInSight(sight, sql`o.merchant_id`)} for update`.execute(tx)
  return found.rows[0]
}

/** What has not reached anybody; counting stops at ten thousand. */
export async function countUntold(
  db: Reader,
  sight: Sight,
): Promise<{ held: number; failed: number; waiting: number }> {
  const found = await sql<{ held: number; failed: number; waiting: number }>`
    select count(*) filter (where state = 'held') as held, count(*) filter (where state = 'failed') as failed,
      count(*) filter (where state = 'waiting') as waiting
    from (select o.state from outbox_message o where o.state in ${statesIn(messageState, 'untold')}
      and ${merchantInSight(sight, sql`o.merchant_id`)} limit 10000) counted`.execute(db)
  return only(found)
}

const again = (at: Date) =>
  sql`state = ${stateTo(messageState, 'resend')}, tries = 0, error = null, next_try_at = ${at}`

/** @returns its state from now on */
export async function queueAgain(tx: Tx, id: number, at: Date) {
  await sql`update outbox_message set ${again(at)} where id = ${id}`.execute(tx)
  await addJob(tx, DELIVER)
  return messageState.to('resend')
}

/** What waited for a provider goes now, but for secrets and what came before `since`. */
export async function queueHeld(tx: Tx, channel: string, since: Date, at: Date): Promise<void> {
  await sql`update outbox_message set ${again(at)}
    where state = 'held' and channel = ${channel} and not is_secret and created_at > ${since}`.execute(tx)
  await addJob(tx, DELIVER)
}

type Trial = { channel: string; merchantId: number; receiver: string; title: string; body: string; at: Date }

/** To an address that somebody typed, to see whether a provider carries. */
export async function queueTrial(tx: Tx, { channel, merchantId, receiver, title, body, at }: Trial): Promise<number> {
  const made = await sql<{ id: number }>`insert into outbox_message
      (type, channel, merchant_id, receiver, title, body, created_at, next_try_at)
    values ('push.test', ${channel}, ${merchantId}, ${receiver}, ${title}, ${body}, ${at}, ${at})
    returning id`.execute(tx)
  await addJob(tx, DELIVER)
  return only(made).id
}
