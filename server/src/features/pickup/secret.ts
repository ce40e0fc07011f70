import { CODE_LENGTH, isCode } from '@aisle/contract/pickup/code'
import type { AuthKeys } from '../../kernel/context'
import { drawSpoken, spokenDigest } from '../../kernel/spokenCode'

/** What a code is found by; null for what is no code at all. */
export const digestOf = (keys: AuthKeys) => spokenDigest(keys, 'aisle pick-up code v1', isCode)

export const drawCode = (): string => drawSpoken(CODE_LENGTH)

/** What a code is sealed for: moved to another row it does not open. */
export const aboutCode = (digest: Buffer): string => `pickup:${digest.toString('hex')}`
