import { createHmac, hkdfSync } from 'node:crypto'
import type { AuthKeys } from '../../../kernel/context'

export const FIRST_PROOF = Buffer.alloc(32)

/** Whoever has the database alone can sign nothing: the key is derived from the key file. */
const proofKey = (keys: AuthKeys): Buffer =>
  Buffer.from(hkdfSync('sha256', keys.auth, keys.id, 'aisle recall proof v1', 32))

/** Ties a record to the one that was signed before it. */
export const proofHash = (keys: AuthKeys, before: Buffer, record: string): Buffer =>
  createHmac('sha256', proofKey(keys)).update(before).update(record, 'utf8').digest()
