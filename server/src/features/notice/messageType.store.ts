import type { MessageType } from '@aisle/contract/notice/messageType'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'

export const urgencyOfType = sql`case when can_wait then 'canWait' else 'now' end`
export const stateOfType = sql`case when is_on then 'on' else 'off' end`

const typeColumns = sql`id, code, name, title, body, channels, variables, sms_template as "smsTemplate",
  ${urgencyOfType} as urgency, ${stateOfType} as state, is_system as "isSystem", is_required as "isRequired", version`

type TypeRow = Omit<MessageType, 'label'>

export async function findByCode(db: Reader, code: string): Promise<TypeRow | undefined> {
  const found = await sql<TypeRow>`select ${typeColumns} from message_type where code = ${code}`.execute(db)
  return found.rows[0]
}

export async function findById(db: Reader, id: number): Promise<TypeRow | undefined> {
  const found = await sql<TypeRow>`select ${typeColumns} from message_type where id = ${id}`.execute(db)
  return found.rows[0]
}
