import { createHmac, hkdfSync } from 'node:crypto'
import type { AuthKeys } from '../../kernel/context'

export const CHAIN_START = Buffer.alloc(32)

/** Whoever has the database alone can make no seal that fits: the key is derived from the key file. */
export const sealKey = (keys: AuthKeys): Buffer =>
  Buffer.from(hkdfSync('sha256', keys.auth, keys.id, 'aisle audit chain v1', 32))

/** @param body SHA-256 over the digests of the seal's rows, in their order */
export function sealHash(key: Buffer, before: Buffer, seal: { lastSeq: number; rows: number; body: Buffer }): Buffer {
  const numbers = Buffer.alloc(16)
  numbers.writeBigUInt64BE(BigInt(seal.lastSeq), 0)
  numbers.writeBigUInt64BE(BigInt(seal.rows), 8)
  return createHmac('sha256', key).update(before).update(numbers).update(seal.body).digest()
}
