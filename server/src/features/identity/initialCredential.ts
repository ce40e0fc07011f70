import { randomInt } from 'node:crypto'
import { defaultKdf, kdfText } from '@aisle/contract/identity/signin'
import { sql } from 'kysely'
import type { AuthKeys, Tx } from '../../kernel/context'
import { saltFor, sealCredential } from './credential'
import { deriveApart } from './derive'
import { newPassword } from './initialPassword.rules'

/**
 * Gives a user a password that somebody else has seen, so it must be changed at the next sign-in; one that was there
 * is replaced. Takes about half a second of another thread.
 * @param user `account` as `normaliseAccount` gives it
 * @returns the password: for the message to its owner, and for nobody else
 */
export async function makeInitialCredential(
  tx: Tx,
  keys: AuthKeys,
  { userId, account, at }: { userId: number; account: string; at: Date },
): Promise<string> {
  const password = newPassword(randomInt)
  const { storedKey, serverKey } = sealCredential(
    keys,
    userId,
    await deriveApart(password, saltFor(keys, account), defaultKdf),
  )
  await sql`insert into credential (user_id, version, kdf, stored_key, server_key, key_id, set_at, must_change)
    values (${userId}, 1, ${kdfText(defaultKdf)}, ${storedKey}, ${serverKey}, ${keys.id}, ${at}, true)
    on conflict (user_id) do update set version = excluded.version, kdf = excluded.kdf,
      stored_key = excluded.stored_key, server_key = excluded.server_key, key_id = excluded.key_id,
      set_at = excluded.set_at, must_change = true`.execute(tx)
  return password
}
