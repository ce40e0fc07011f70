import { createHmac, randomBytes } from 'node:crypto'
import type { AuthKeys } from '../../../kernel/context'
import { type SealedCredential, sealCredential } from './credential'
import { NOBODY } from '../account/user.store'

const decoys = new WeakMap<AuthKeys, SealedCredential>()

/** Nobody's sealed credential, opened in place of one that isn't there, so that both cost the same. */
export function decoyOf(keys: AuthKeys): SealedCredential {
  const kept = decoys.get(keys)
  if (kept) return kept
  const made = sealCredential(keys, NOBODY, { storedKey: randomBytes(32), serverKey: randomBytes(32) })
  decoys.set(keys, made)
  return made
}

/** What an account that isn't there is checked against: a hash that nobody knows the password of. */
export const fakeStoredKey = (keys: AuthKeys, account: string): Buffer =>
  createHmac('sha256', keys.fake).update(account).digest()
