import { createHmac, hkdfSync } from 'node:crypto'
import { PRIZE_CODE_LENGTH } from '@aisle/contract/lottery/prizeCode'
import { CODE_ALPHABET, plainCode } from '@aisle/contract/kernel/codes'
import type { AuthKeys } from '../../kernel/context'

const keyOf = (keys: AuthKeys, use: string) =>
  Buffer.from(hkdfSync('sha256', keys.auth, keys.id, `aisle prize code ${use} v1`, 32))

/** Follows from the order under a key outside the database: told again it is the same, and nowhere kept in clear. */
export function prizeCodeOf(keys: AuthKeys): (orderNo: string) => string {
  const key = keyOf(keys, 'made')
  const base = BigInt(CODE_ALPHABET.length)
  return (orderNo) => {
    let rest = BigInt(`0x${createHmac('sha256', key).update(orderNo).digest('hex')}`)
    return Array.from({ length: PRIZE_CODE_LENGTH }, () => {
      const at = Number(rest % base)
      rest /= base
      return CODE_ALPHABET.charAt(at)
    }).join('')
  }
}

/** What a play is found by. */
export function prizeDigestOf(keys: AuthKeys): (code: string) => Buffer {
  const key = keyOf(keys, 'found')
  return (code) => createHmac('sha256', key).update(plainCode(code)).digest()
}
