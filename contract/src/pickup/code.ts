import { CODE_ALPHABET, plainCode } from '../kernel/codes'

export const CODE_LENGTH = 10
/** Of a code these stand where the code itself must not. */
export const TAIL_LENGTH = 4

const pattern = new RegExp(`^[${CODE_ALPHABET}]{${CODE_LENGTH}}$`)
export const isCode = (plain: string): boolean => pattern.test(plain)

/** What lists and orders show of a code. */
export const maskedCode = (typed: string): string => `••••••${plainCode(typed).slice(-TAIL_LENGTH)}`
