import { createHmac, hkdfSync, randomInt } from 'node:crypto'
import { CODE_ALPHABET, CODE_LENGTH, isCode, plainCode } from '@aisle/contract/pickup/code'
import type { AuthKeys } from '../../kernel/context'

/** What a code is found by: its HMAC under a key outside the database; null for what is no code at all. */
export function digestOf(keys: AuthKeys): (typed: string) => Buffer | null {
  const key = Buffer.from(hkdfSync('sha256', keys.auth, keys.id, 'aisle pick-up code v1', 32))
  return (typed) => {
    const plain = plainCode(typed)
    return isCode(plain) ? createHmac('sha256', key).update(plain).digest() : null
  }
}

/** From the operating system's randomness, each character alike: nobody can count on from one code to the next. */
export const drawCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('')

/** What a code is sealed for: moved to another row it does not open. */
export const aboutCode = (digest: Buffer): string => `pickup:${digest.toString('hex')}`
