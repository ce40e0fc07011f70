import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { AuthKeys } from '../../kernel/context'

/** What a doctor writes beside patient and medicines. */
export type Content = {
  hospitalId: number | null
  department: string
  sex: string
  birthYear: number
  patientFacts: readonly string[]
  allergies: readonly string[]
  condition: string
  advice: string
  uses: number
  intervalDays: number
}

/** All that a pharmacist approves: for whom, for what, and each medicine. Names and numbers go in as their hashes. */
export type SignedContent = Content & {
  code: string
  doctorId: number
  patientNameHash: Buffer
  patientIdHash: Buffer | null
  lines: readonly {
    productId: number
    quantity: number
    dose: number
    timesADay: number
    days: number
    usage: string
  }[]
}

/** The same content gives the same hash, whoever reads it; a change of any part another one. */
export function contentHash(content: SignedContent): Buffer {
  const { patientNameHash, patientIdHash, lines } = content
  const parts = [
    content.code,
    content.doctorId,
    content.hospitalId,
    content.department,
    patientNameHash.toString('hex'),
    patientIdHash?.toString('hex') ?? null,
    content.sex,
    content.birthYear,
    [...content.patientFacts].sort(),
    [...content.allergies].sort(),
    content.condition,
    content.advice,
    content.uses,
    content.intervalDays,
    lines.map((line) => [line.productId, line.quantity, line.dose, line.timesADay, line.days, line.usage]),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

export type Decision = { contentHash: Buffer; verb: 'approve' | 'reject'; userId: number; at: Date; reason: string }

/** Who decided what of which content and when, under a key that no dump of the database holds. */
export function signatureOf(keys: AuthKeys, { contentHash: hash, verb, userId, at, reason }: Decision): Buffer {
  const said = JSON.stringify([hash.toString('hex'), verb, userId, at.toISOString(), reason])
  return createHmac('sha256', keyOf(keys, 'signature')).update(said).digest()
}

export const isSignature = (keys: AuthKeys, decision: Decision, signature: Buffer): boolean => {
  const own = signatureOf(keys, decision)
  return own.length === signature.length && timingSafeEqual(own, signature)
}

/** Finds a person again without saying who it is; numbers and names are few enough to be tried without the key. */
export const personHash = (keys: AuthKeys, kind: 'name' | 'id', text: string): Buffer =>
  createHmac('sha256', keyOf(keys, kind)).update(text.trim().toUpperCase()).digest()

const keyOf = (keys: AuthKeys, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', keys.auth, keys.id, `aisle prescription ${use} v1`, 32))
