/**
 * How a pick-up code is written. Of the characters that people take for each other (0 and O, 1, I and L, 2 and Z, 5 and
 * S, 8 and B, U and V) none is used: it is read aloud and typed on a machine.
 */
export const CODE_ALPHABET = '34679ACDEFGHJKMNPQRTWXY'
export const CODE_LENGTH = 10
/** Of a code these stand where the code itself must not. */
export const TAIL_LENGTH = 4

/** As it is kept: without the spaces and dashes that people put between. */
export const plainCode = (typed: string): string => typed.toUpperCase().replace(/[\s-]/g, '')

const pattern = new RegExp(`^[${CODE_ALPHABET}]{${CODE_LENGTH}}$`)
export const isCode = (plain: string): boolean => pattern.test(plain)

/** What lists and orders show of a code. */
export const maskedCode = (typed: string): string => `••••••${plainCode(typed).slice(-TAIL_LENGTH)}`
