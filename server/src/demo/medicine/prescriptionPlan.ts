import type { Warning } from '@aisle/contract/pharmacy/medicine'
import type { PrescriptionState } from '@aisle/contract/pharmacy/states'
import { newCode } from '../../features/pharmacy/code.rules'
import { contentHash, signatureOf } from '../../features/pharmacy/content.rules'
import { type SealedPatient, sealPatient } from '../../features/pharmacy/patient'
import type { AuthKeys, Tx } from '../../kernel/context'
import { DAY_MS } from '../calendar'
import { givenNames, surnames } from '../data/names'
import { type Practitioner, readPractice } from './prescriptionReads'
import { living } from './prescriptionLiving'
import { type Random, randomFrom, seedOf } from '../random'

export type LineSeed = {
  productId: number
  quantity: number
  dose: number
  timesADay: number
  days: number
  usage: string
  allowed: number
  dispensed: number
}

/** A prescription as it was meant, before anybody signed anything. */
export type DraftSeed = {
  merchantId: number
  doctor: Practitioner
  pharmacist: Practitioner
  hospitalId: number | null
  state: PrescriptionState
  lines: LineSeed[]
  condition: string
  advice: string
  fact: 'kidney' | 'pregnant' | null
  uses: number
  intervalDays: number
  createdMs: number
  reviewedMs: number
  dispensedMs: number | null
  reason: string
  warnings: readonly Warning[]
  warningReason: string
  /** A simulated machine that sells on it, and what. */
  machineCode: string | null
  productCode: string
}

const MINUTE_MS = 60_000

/** Of what lives on: machines' repeats stand since before their first day is told. */
export const planned = async (tx: Tx, about: { now: Date; since: Date; doctorId: number }): Promise<DraftSeed[]> =>
  living(await readPractice(tx), about)

type EventSeed = {
  verb: string
  at: string
  userId: number | null
  reason: string
  contentHash: Buffer | null
  signature: Buffer | null
  licenceNumber: string
  warnings: string
}

export type Decided = Omit<SealedPatient, 'sealed'> & {
  code: string
  merchantId: number
  doctorId: number
  hospitalId: number | null
  department: string
  sealed: Buffer
  sex: string
  birthYear: number
  fact: string | null
  condition: string
  advice: string
  uses: number
  intervalDays: number
  createdAt: string
  expiresAt: string
  lines: LineSeed[]
  state: PrescriptionState
  submittedAt: string | null
  reviewerId: number | null
  reviewedAt: string | null
  reviewedHash: Buffer | null
  usesOpened: number
  dispensedAt: string | null
  events: EventSeed[]
  machineCode: string | null
  productCode: string
}

const instant = (ms: number) => new Date(ms).toISOString()

/** Sealed, hashed and signed as the running product would have. */
export function decide(draft: DraftSeed, keys: AuthKeys): Decided {
  const { doctor, pharmacist, lines, createdMs, reviewedMs, state } = draft
  const random = randomFrom(seedOf(`patient/${createdMs}/${draft.machineCode}/${draft.condition}`))
  const code = newCode(instant(createdMs).slice(0, 10))
  const birthYear = random.between(1938, 2004)
  const patient = sealPatient(keys, code, personOf(random, birthYear))
  const sex = random.chance(0.52) ? 'female' : 'male'
  const { hospitalId, condition, advice, uses, intervalDays, fact } = draft
  const base = {
    code,
    hospitalId,
    department: doctor.department,
    sex,
    birthYear,
    condition,
    advice,
    uses,
    intervalDays,
  }
  const hash = contentHash({
    ...base,
    doctorId: doctor.id,
    patientNameHash: patient.nameHash,
    patientIdHash: patient.idHash,
    patientFacts: fact ? [fact] : [],
    allergies: [],
    lines,
  })
  const isSubmitted = state !== 'draft'
  const verb = state === 'rejected' ? 'reject' : 'approve'
  const isReviewed = isSubmitted && state !== 'submitted'
  const at = new Date(reviewedMs)
  const signature = signatureOf(keys, { contentHash: hash, verb, userId: pharmacist.id, at, reason: draft.reason })
  const expiresMs = createdMs + (isSubmitted ? 3 + intervalDays * (uses - 1) : 30) * DAY_MS
  const events = storyOf(draft, { hash, signature, verb, expiresMs })
  return {
    ...base,
    ...patient,
    merchantId: draft.merchantId,
    doctorId: doctor.id,
    fact,
    createdAt: instant(createdMs - 2 * MINUTE_MS),
    expiresAt: instant(expiresMs),
    lines,
    state,
    submittedAt: isSubmitted ? instant(createdMs) : null,
    reviewerId: isReviewed ? pharmacist.id : null,
    reviewedAt: isReviewed ? instant(reviewedMs) : null,
    reviewedHash: isReviewed ? hash : null,
    usesOpened: lines.some(({ allowed }) => allowed > 0) ? 1 : 0,
    dispensedAt: draft.dispensedMs === null ? null : instant(draft.dispensedMs),
    events,
    machineCode: draft.machineCode,
    productCode: draft.productCode,
  }
}

type Signed = { hash: Buffer; signature: Buffer; verb: string; expiresMs: number }

function storyOf(draft: DraftSeed, { hash, signature, verb, expiresMs }: Signed): EventSeed[] {
  const { doctor, pharmacist, createdMs, reviewedMs, state } = draft
  const isSubmitted = state !== 'draft'
  const isReviewed = isSubmitted && state !== 'submitted'
  const events: (EventSeed | false)[] = [
    told('write', createdMs - 2 * MINUTE_MS, doctor.id),
    isSubmitted && {
      ...told('submit', createdMs, doctor.id, draft.warningReason),
      warnings: JSON.stringify(draft.warnings),
    },
    isReviewed && {
      ...told(verb, reviewedMs, pharmacist.id, draft.reason),
      contentHash: hash,
      signature,
      licenceNumber: pharmacist.licenceNumber,
      warnings: JSON.stringify(draft.warnings),
    },
    state === 'expired' && told('expire', expiresMs, null),
    state === 'cancelled' && told('cancel', reviewedMs + 40 * MINUTE_MS, doctor.id, '患者改为住院治疗'),
  ]
  return events.filter((each) => each !== false)
}

const told = (verb: string, ms: number, userId: number | null, reason = ''): EventSeed => ({
  verb,
  at: instant(ms),
  userId,
  reason,
  contentHash: null,
  signature: null,
  licenceNumber: '',
  warnings: '[]',
})

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** Nobody is meant; six in ten left their number. */
function personOf(random: Random, birthYear: number): { name: string; idNumber: string } {
  const name = random.pick(surnames) + random.pick(givenNames)
  if (random.chance(0.4)) return { name, idNumber: '' }
  const two = (most: number) => String(random.between(1, most)).padStart(2, '0')
  const first = `330106${birthYear}${two(12)}${two(28)}${String(random.between(1, 999)).padStart(3, '0')}`
  const sum = weights.reduce((total, weight, at) => total + weight * Number(first[at]), 0)
  return { name, idNumber: `${first}${'10X98765432'[sum % 11]}` }
}
