import { createHmac, hkdfSync, randomInt } from 'node:crypto'
import type { AuthKeys } from '../../kernel/context'

/** Read from a slip of paper and typed at a desk: without what people take for each other. */
const ALPHABET = '34679ACDEFGHJKMNPQRTWXY'
/** 23 to the tenth: nobody guesses one, however often the desk is asked. */
const LENGTH = 10

export const drawActivation = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** What is kept of a code: it activates the one card that it was drawn for. */
export function activationDigest(keys: AuthKeys, physicalNo: string, typed: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', keys.auth, keys.id, 'aisle card activation v1', 32))
  return createHmac('sha256', key)
    .update(`${physicalNo}/${typed.toUpperCase().replace(/[\s-]/g, '')}`)
    .digest()
}
