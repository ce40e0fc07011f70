import { isVoucherCode, VOUCHER_LENGTH } from '@aisle/contract/promotion/voucherCode'
import type { AuthKeys } from '../../../kernel/context'
import { drawSpoken, spokenDigest } from '../../../kernel/spokenCode'

/** What a voucher is found by; null for what is the number of none. */
export const digestOf = (keys: AuthKeys) => spokenDigest(keys, 'aisle voucher v1', isVoucherCode)

export const drawVoucher = (): string => drawSpoken(VOUCHER_LENGTH)

/** What a number is sealed for: moved to another row it does not open. */
export const aboutVoucher = (digest: Buffer): string => `voucher:${digest.toString('hex')}`
