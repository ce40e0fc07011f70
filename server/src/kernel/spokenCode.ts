import { createHmac, hkdfSync, randomInt } from 'node:crypto'
import { CODE_ALPHABET, plainCode } from '@aisle/contract/kernel/codes'
import type { AuthKeys } from './context'

/**
 * What a code that people read aloud and type is found by: its HMAC under a key outside the database, of its own for
 * each kind of code; null for what is no code at all.
 */
export function spokenDigest(keys: AuthKeys, kind: string, isCode: (plain: string) => boolean) {
  const key = Buffer.from(hkdfSync('sha256', keys.auth, keys.id, kind, 32))
  return (typed: string): Buffer | null => {
    const plain = plainCode(typed)
    return isCode(plain) ? createHmac('sha256', key).update(plain).digest() : null
  }
}

/** From the operating system's randomness, each character alike: nobody can count on from one code to the next. */
export const drawSpoken = (length: number): string =>
  Array.from({ length }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('')
