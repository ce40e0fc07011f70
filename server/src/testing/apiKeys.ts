import { randomBytes } from 'node:crypto'
import { KEY_PREFIX } from '@aisle/contract/events/apiKey'
import { sql } from 'kysely'
import type { Reader } from '../kernel/context'
import { hashToken } from '../kernel/token'

type Made = { merchantId: number; name: string; scopes: readonly string[]; at: Date; callsAMinute?: number }

/** A test's clock stands still, so that a key's minute never ends. */
export async function forgetCalls(db: Reader): Promise<void> {
  await sql`delete from api_key_rate`.execute(db)
}

/** A key as its maker was told it, answered for by somebody who runs the merchant and holds everything. */
export async function addApiKey(
  db: Reader,
  { merchantId, name, scopes, at, callsAMinute = 6000 }: Made,
): Promise<{ id: number; key: string; userId: number; answersBy: number }> {
  const prefix = randomBytes(4).toString('hex')
  const key = `${KEY_PREFIX}${prefix}_${randomBytes(32).toString('base64url')}`
  const found = await sql<{ id: number; userId: number; answersBy: number }>`
    with program as (insert into app_user (merchant_id, account, display_name, kind, state)
        values (${merchantId}, ${`key-${prefix}`}, ${name}, 'program', 'disabled') returning id),
      person as (insert into app_user (merchant_id, account, display_name, kind)
        values (${merchantId}, ${`for-${prefix}`}, ${name}, 'merchant_admin') returning id),
      made as (insert into role (merchant_id, name) values (${merchantId}, ${`Of ${name} ${prefix}`}) returning id),
      granted as (insert into role_permission select id, '*' from made),
      given as (insert into user_role select person.id, made.id from person, made)
    insert into api_key (merchant_id, user_id, name, prefix, key_hash, scopes, calls_a_minute, expires_on, answers_by,
      created_by, created_at)
    select ${merchantId}, program.id, ${name}, ${prefix}, ${hashToken(key)}, ${[...scopes]}, ${callsAMinute},
      ${at}::date + 30, person.id, person.id, ${at} from program, person
    returning id, user_id as "userId", answers_by as "answersBy"`.execute(db)
  const row = found.rows[0]
  if (!row) throw new Error('no key was made')
  return { ...row, key }
}
