import { z } from 'zod'
import { endpoint, zId, zLine, zNeeded } from '../kernel/endpoint'
import { warning } from './medicine'
import { patientFacts, sexes } from './prescription'
import { prescriptionState } from './states'

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

export const MAX_LINES = 5
const line = z.strictObject({
  productId: zId,
  quantity: whole(1, 20),
  dose: z.coerce.number().min(0.01).max(9_999).multipleOf(0.01),
  timesADay: whole(1, 12),
  days: whole(1, 180),
  usage: zLine(120).default(''),
})
export type PrescriptionLine = z.output<typeof line>

/** Names of substances as a person types them, with commas between; kept in small letters. */
export const substancesIn = (typed: string): string[] => [
  ...new Set(
    typed
      .toLowerCase()
      .split(/[,，、;；\n]+/)
      .map((each) => each.trim())
      .filter(Boolean),
  ),
]

const about = {
  patientIdNumber: zLine(18)
    .regex(/^([1-9][0-9]{16}[0-9Xx])?$/)
    .default(''),
  sex: z.enum(sexes),
  birthYear: whole(1900, 2200),
  patientFacts: z.array(z.enum(patientFacts)).max(4).default([]),
  allergies: zLine(200).default(''),
  condition: zNeeded(400),
  lines: z.array(line).min(1).max(MAX_LINES),
  advice: zLine(1000).default(''),
  uses: whole(1, 24).default(1),
  intervalDays: whole(0, 180).default(0),
  hospitalId: zId.nullable().default(null),
  department: zLine(40).default(''),
}
/** Why it is written in spite of what is warned of; asked for only then. */
const warningReason = zLine(200).default('')

const changed = z.object({ id: z.int(), code: z.string(), state: z.enum(prescriptionState.states) })
const written = { method: 'POST' as const, access: 'prescription.write' as const, writes: true, output: changed }
const doctors = ['prescription.notDoctor', 'prescription.practice'] as const
const contents = [
  'prescription.medicine',
  'prescription.medicineTwice',
  'prescription.hospital',
  'prescription.idNumber',
] as const
const submitted = ['prescription.warned', 'prescription.needsId'] as const

export const warnOfPrescription = endpoint({
  name: 'pharmacy.warnOfPrescription',
  method: 'POST',
  path: '/api/prescription-warnings',
  access: 'prescription.write',
  input: z.strictObject({
    birthYear: about.birthYear.nullable().default(null),
    patientFacts: about.patientFacts,
    allergies: about.allergies,
    uses: about.uses,
    lines: z.array(line).max(MAX_LINES),
  }),
  output: z.object({ warnings: z.array(warning) }),
  summary: 'What would be warned of, while a doctor is still writing',
})

export const writePrescription = endpoint({
  ...written,
  name: 'pharmacy.writePrescription',
  path: '/api/prescriptions',
  input: z.strictObject({ patientName: zNeeded(60), ...about, warningReason, isSubmitted: z.boolean().default(false) }),
  refusals: [...doctors, ...contents, ...submitted],
  summary: 'A doctor writes a prescription, as a draft or for review at once',
})

export const editPrescription = endpoint({
  ...written,
  name: 'pharmacy.editPrescription',
  path: '/api/prescriptions/{id}/edit',
  /** Without a name and an id number the patient's stay as they are. */
  input: z.strictObject({
    id: zId,
    version: z.int().positive(),
    patientName: zLine(60).default(''),
    ...about,
  }),
  refusals: ['request.notFound', 'edit.stale', 'prescription.state', ...doctors, ...contents],
  summary: 'Change a draft, or what came back from review',
})

export const submitPrescription = endpoint({
  ...written,
  name: 'pharmacy.submitPrescription',
  path: '/api/prescriptions/{id}/submit',
  input: z.strictObject({ id: zId, version: z.int().positive(), warningReason }),
  refusals: ['request.notFound', 'edit.stale', 'prescription.state', ...doctors, ...submitted],
  summary: 'Give it to the pharmacists; what it replaces is cancelled with it',
})

export const amendPrescription = endpoint({
  ...written,
  name: 'pharmacy.amendPrescription',
  path: '/api/prescriptions/{id}/amend',
  input: z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) }),
  refusals: ['request.notFound', 'prescription.state', 'prescription.amended', ...doctors],
  summary: 'A draft with the same content, to be changed; it replaces the first one once it is submitted',
})

export const cancelPrescription = endpoint({
  ...written,
  name: 'pharmacy.cancelPrescription',
  path: '/api/prescriptions/{id}/cancel',
  access: 'prescription.cancel',
  input: z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) }),
  refusals: ['request.notFound', 'prescription.state'],
  summary: 'Nothing more may be had on it, and why',
})
