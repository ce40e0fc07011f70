import {
  b64u,
  equalBytes,
  fromB64u,
  type Kdf,
  kdfText,
  parseVerifier,
  type Verifier,
} from '@aisle/contract/identity/signin'
import { shippedPasswords } from '@aisle/contract/identity/weakPassword'
import { sql } from 'kysely'
import type { AuthKeys, CallContext, Reader } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { word } from '../../../kernel/words'
import { type OpenedCredential, saltFor, type SealedCredential, sealCredential } from './credential'
import { deriveApart } from './derive'

/**
 * A verifier as a client sent it.
 * @param account as `normaliseAccount` gives it @param path of the field, for the refusal
 * @throws Refusal request.invalid for a plain password, a weak kdf, or another account's salt
 */
export function verifierFor(ctx: CallContext, account: string, text: string, path: string): Verifier {
  const verifier = parseVerifier(text)
  if (verifier?.salt === b64u(saltFor(ctx.services.keys, account))) return verifier
  return refuseVerifier(ctx, path)
}

/** A plain password above all is never taken for a verifier. */
export const refuseVerifier = ({ language }: CallContext, path: string): never =>
  refuse('request.invalid', {}, [{ path, reason: 'invalid', msg: word(language, 'kernel', 'field.invalid') }])

/** In the place of the one that was there. @throws Refusal password.shipped, after half a second of another thread */
export async function put(
  db: Reader,
  keys: AuthKeys,
  credential: { userId: number; verifier: Verifier; mustChange: boolean; at: Date },
): Promise<void> {
  const { verifier, ...facts } = credential
  const { kdf } = verifier
  const opened = { storedKey: fromB64u(verifier.storedKey), serverKey: fromB64u(verifier.serverKey) }
  if (await isOfShipped({ salt: fromB64u(verifier.salt), kdf, storedKey: opened.storedKey })) {
    return refuse('password.shipped')
  }
  await write(db, keys, { ...facts, kdf, opened })
}

/** Passwords never travel, but those that everybody knows can be tried here too. */
export async function isOfShipped(known: { salt: Uint8Array; kdf: Kdf; storedKey: Uint8Array }): Promise<boolean> {
  for (const password of shippedPasswords) {
    const { storedKey } = await deriveApart(password, known.salt, known.kdf)
    if (equalBytes(storedKey, known.storedKey)) return true
  }
  return false
}

/** Sealed anew it reads otherwise, so equal bytes are the same credential. */
export async function isStill(db: Reader, userId: number, { storedKey }: SealedCredential): Promise<boolean> {
  const found = await sql`select from credential where user_id = ${userId} and stored_key = ${storedKey}`.execute(db)
  return found.rows.length === 1
}

type Credential = {
  userId: number
  kdf: Kdf
  opened: OpenedCredential
  mustChange: boolean
  at: Date
  isShipped?: boolean
  /** Of a password that the demo gives; whoever else writes takes the mark away. */
  demoMac?: Buffer | null
}

/** The only way a credential gets into the database. */
export async function write(db: Reader, keys: AuthKeys, credential: Credential): Promise<void> {
  const { userId, kdf, opened, mustChange, at, isShipped = false, demoMac = null } = credential
  const { storedKey, serverKey } = sealCredential(keys, userId, opened)
  await sql`insert into credential (user_id, version, kdf, stored_key, server_key, key_id, set_at, must_change,
      is_shipped, demo_mac)
    values (${userId}, 1, ${kdfText(kdf)}, ${storedKey}, ${serverKey}, ${keys.id}, ${at}, ${mustChange},
      ${isShipped}, ${demoMac})
    on conflict (user_id) do update set version = excluded.version, kdf = excluded.kdf,
      stored_key = excluded.stored_key, server_key = excluded.server_key, key_id = excluded.key_id,
      set_at = excluded.set_at, must_change = excluded.must_change, is_shipped = excluded.is_shipped,
      demo_mac = excluded.demo_mac`.execute(db)
}
