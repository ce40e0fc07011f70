import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { AuthKeys } from './context'

/**
 * Secrets at rest that must be read again (bank accounts, provider keys, second-factor seeds): AES-256-GCM under a key
 * that is derived from the key file, so that a dump of the database alone says nothing.
 * @param about what the secret belongs to, such as `bank:42`: a sealed value moved to another row does not open
 */
export function seal(keys: AuthKeys, about: string, text: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(keys), nonce).setAAD(Buffer.from(about))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** @throws Error when the value was sealed with other keys, for something else, or altered */
export function unseal(keys: AuthKeys, about: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(keys), sealed.subarray(0, 12)).setAAD(Buffer.from(about))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

const keyOf = (keys: AuthKeys): Buffer => Buffer.from(hkdfSync('sha256', keys.auth, keys.id, 'aisle seal v1', 32))
