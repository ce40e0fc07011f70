import { CODE_ALPHABET, plainCode } from '../kernel/codes'

/** As pick-up codes are written, but longer: of a hundred thousand a guess hits one in two hundred thousand million. */
export const VOUCHER_LENGTH = 12

const pattern = new RegExp(`^[${CODE_ALPHABET}]{${VOUCHER_LENGTH}}$`)
export const isVoucherCode = (typed: string): boolean => pattern.test(plainCode(typed))
