import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { isKdfStrongEnough, type Kdf, kdfText } from '@aisle/contract/identity/signin'
import type { AuthKeys } from '../../../kernel/context'

/** As the columns of the credential table hold them: nonce | ciphertext | tag. */
export type SealedCredential = { storedKey: Buffer; serverKey: Buffer }
export type OpenedCredential = { storedKey: Uint8Array; serverKey: Uint8Array }

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SALT_BYTES = 16

/**
 * The salt of any account, whether or not it exists. It stays the same when the password changes or the user goes,
 * since a change would show that there is a user; so the salt key is never rotated.
 * @param account as `normaliseAccount` gives it
 */
export const saltFor = (keys: Pick<AuthKeys, 'salt'>, account: string): Buffer =>
  createHmac('sha256', keys.salt).update(`salt|v1|${account}`).digest().subarray(0, SALT_BYTES)

/** Bound to the user and to the column, so a row copied to another user or a swapped pair does not open. */
export const sealCredential = (
  keys: Pick<AuthKeys, 'auth'>,
  userId: number,
  opened: OpenedCredential,
): SealedCredential => ({
  storedKey: seal(keys.auth, `${userId}|SK|1`, opened.storedKey),
  serverKey: seal(keys.auth, `${userId}|VK|1`, opened.serverKey),
})

/** @throws Error when the key file is not the one that sealed, or the row was tampered with */
export const openCredential = (
  keys: Pick<AuthKeys, 'auth'>,
  userId: number,
  sealed: SealedCredential,
): OpenedCredential => ({
  storedKey: unseal(keys.auth, `${userId}|SK|1`, sealed.storedKey),
  serverKey: unseal(keys.auth, `${userId}|VK|1`, sealed.serverKey),
})

/** @throws RangeError for a text that `kdfText` did not write: the row was tampered with */
export function kdfFrom(text: string): Kdf {
  const [, m, t, p] = text.split(',').map(Number)
  const kdf: Kdf = { a: 'argon2id', m: m ?? 0, t: t ?? 0, p: p ?? 0 }
  if (kdfText(kdf) !== text || !isKdfStrongEnough(kdf)) throw new RangeError(`not a kdf of ours: ${text}`)
  return kdf
}

function seal(key: Buffer, aad: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(aad))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function unseal(key: Buffer, aad: string, sealed: Buffer): Uint8Array {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(aad))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const plain = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
  return Buffer.concat([plain, decipher.final()])
}
