import { b64u, fromB64u, kdfText, parseVerifier, type Verifier } from '@aisle/contract/identity/signin'
import { sql } from 'kysely'
import type { AuthKeys, CallContext, Tx } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { word } from '../../kernel/words'
import { saltFor, sealCredential } from './credential'

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

/** In the place of the one that was there. */
export async function put(
  tx: Tx,
  keys: AuthKeys,
  credential: { userId: number; verifier: Verifier; mustChange: boolean; at: Date },
): Promise<void> {
  const { userId, verifier, mustChange, at } = credential
  const { storedKey, serverKey } = sealCredential(keys, userId, {
    storedKey: fromB64u(verifier.storedKey),
    serverKey: fromB64u(verifier.serverKey),
  })
  await sql`insert into credential (user_id, version, kdf, stored_key, server_key, key_id, set_at, must_change)
    values (${userId}, 1, ${kdfText(verifier.kdf)}, ${storedKey}, ${serverKey}, ${keys.id}, ${at}, ${mustChange})
    on conflict (user_id) do update set kdf = excluded.kdf, stored_key = excluded.stored_key,
      server_key = excluded.server_key, key_id = excluded.key_id, set_at = excluded.set_at,
      must_change = excluded.must_change`.execute(tx)
}
