/** Without 0 O 1 I L, which people mix up; so the specification's fallback "0000" can't be a code. */
export const CODE_SYMBOLS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 4
export const CODE_LIVES_S = 120

/** @param pick a secret random whole number from 0 up to, not including, its argument */
export const newCode = (pick: (below: number) => number): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_SYMBOLS[pick(CODE_SYMBOLS.length)]).join('')
