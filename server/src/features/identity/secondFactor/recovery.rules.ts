import { createHmac } from 'node:crypto'
import { RECOVERY_CODES } from '@aisle/contract/identity/secondFactor'
import type { AuthKeys } from '../../../kernel/context'
import { CODE_SYMBOLS } from '../signIn/checkCode.rules'

const HALF = 5

/** 49 bits each, in two halves so that they can be copied from paper. @param pick as `newCode` takes it */
export const newRecoveryCodes = (pick: (below: number) => number): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => `${half(pick)}-${half(pick)}`)

const half = (pick: (below: number) => number) =>
  Array.from({ length: HALF }, () => CODE_SYMBOLS[pick(CODE_SYMBOLS.length)]).join('')

/** As the database keeps it: under the key file, since 49 bits are not many for who has a dump. */
export const recoveryMac = (keys: Pick<AuthKeys, 'device'>, userId: number, code: string): Buffer =>
  createHmac('sha256', keys.device)
    .update(`recovery|v1|${userId}|${plain(code)}`)
    .digest()

const plain = (code: string) => code.toUpperCase().replace(/[^A-Z0-9]/g, '')
