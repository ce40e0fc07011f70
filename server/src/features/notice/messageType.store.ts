import type { MessageType } from '@aisle/contract/notice/messageType'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'

export const typeColumns = sql`id, code, name, title, body, channels, variables, sms_template as "smsTemplate",
  case when can_wait then 'canWait' else 'now' end as urgency, case when is_on then 'on' else 'off' end as state,
  is_system as "isSystem", is_required as "isRequired", version`

export type TypeRow = Omit<MessageType, 'label'>

export async function lock(tx: Reader, id: number): Promise<TypeRow | undefined> {
  const found = await sql<TypeRow>`select ${typeColumns} from message_type where id = ${id} for update`.execute(tx)
  return found.rows[0]
}

export async function findByCode(db: Reader, code: string): Promise<TypeRow | undefined> {
  const found = await sql<TypeRow>`select ${typeColumns} from message_type where code = ${code}`.execute(db)
  return found.rows[0]
}

export async function findById(db: Reader, id: number): Promise<TypeRow | undefined> {
  const found = await sql<TypeRow>`select ${typeColumns} from message_type where id = ${id}`.execute(db)
  return found.rows[0]
}

export type Words = Pick<MessageType, 'name' | 'title' | 'body' | 'channels' | 'urgency' | 'variables' | 'smsTemplate'>

/** @returns the new row's id, or undefined when the code is taken */
export async function insert(tx: Reader, code: string, words: Words): Promise<number | undefined> {
  const made = await sql<{ id: number }>`insert into message_type
      (code, name, title, body, channels, can_wait, variables, sms_template)
    values (${code}, ${JSON.stringify(words.name)}, ${JSON.stringify(words.title)}, ${JSON.stringify(words.body)},
      ${words.channels}::text[], ${words.urgency === 'canWait'}, ${words.variables}::text[], ${words.smsTemplate})
    on conflict (code) do nothing returning id`.execute(tx)
  return made.rows[0]?.id
}

export async function update(tx: Reader, id: number, words: Words): Promise<number> {
  const saved = await sql<{ version: number }>`update message_type set name = ${JSON.stringify(words.name)},
      title = ${JSON.stringify(words.title)}, body = ${JSON.stringify(words.body)},
      channels = ${words.channels}::text[], can_wait = ${words.urgency === 'canWait'},
      variables = ${words.variables}::text[], sms_template = ${words.smsTemplate}, version = version + 1
    where id = ${id} returning version`.execute(tx)
  return saved.rows[0]?.version ?? 0
}
