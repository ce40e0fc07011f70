import { weaknessOf } from '@aisle/contract/identity/weakPassword'

/** Without 0 o 1 i l, which people mix up when they copy a password from a message. */
const SYMBOLS = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 12

/**
 * 59 bits, of which those without a digit or without a letter, and those of common words, are drawn again.
 * @param pick a secret random whole number from 0 up to, not including, its argument
 */
export function newPassword(pick: (below: number) => number): string {
  for (;;) {
    const drawn = Array.from({ length: LENGTH }, () => SYMBOLS[pick(SYMBOLS.length)]).join('')
    if (/[a-z]/.test(drawn) && /\d/.test(drawn) && weaknessOf(drawn) === null) return drawn
  }
}
