import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import type { listPushMessages, PushMessage } from '@aisle/contract/notice/push'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, type Listing, listRows, mapRows } from '../../kernel/list'
import { masked } from '../../kernel/outbox'
import { withinDays } from '../../kernel/platformDays'
import { merchantInSight, type Sight } from '../../kernel/scope'

type Filter = Omit<InputOf<typeof listPushMessages>, 'type'> & { type?: string | undefined }

const seen = (sight: Sight, language: Language): RawBuilder<unknown> => sql`
  select o.id, o.type, coalesce(t.name ->> ${language}, a.name, o.type) as "typeLabel", o.channel,
    m.name as "merchantName",
    u.display_name as "receiverName", o.receiver, o.title, o.body, o.is_secret as "isSecret",
    o.sealed_body is not null as "isKept", o.state, o.tries, o.provider, o.error, o.created_at, o.is_alarm,
    to_json(o.created_at) #>> '{}' as "createdAt", to_json(o.next_try_at) #>> '{}' as "nextTryAt",
    to_json(o.sent_at) #>> '{}' as "sentAt", to_json(o.read_at) #>> '{}' as "readAt"
  from outbox_message o join merchant m on m.id = o.merchant_id left join app_user u on u.id = o.user_id
  left join message_type t on t.code = o.type left join official_account a on a.id = o.account_id
  where ${merchantInSight(sight, sql`o.merchant_id`)}`

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
    filter.type && sql`type = ${sql.lit(filter.type)}`,
    filter.channel && sql`channel = ${sql.lit(filter.channel)}`,
    filter.state && sql`state = ${sql.lit(filter.state)}`,
    ...withinDays(sql`created_at`, filter),
  ])
  const order = { by: sql`id`, type: 'bigint', newestFirst: true } as const
  return mapRows(listRows<PushMessage>({ rows: seen(sight, language), where, order }), (rows) => rows.map(shown))
}

export async function findDetail(
  db: Reader,
  sight: Sight,
  language: Language,
  id: number,
  only: RawBuilder<unknown>,
): Promise<PushMessage | undefined> {
  const found = await sql<PushMessage>`select * from (${seen(sight, language)}) seen
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
