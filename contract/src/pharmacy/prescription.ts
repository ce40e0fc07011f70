import { z } from 'zod'
import { medicineClasses } from '../catalog/product'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { warning } from './medicine'
import { fillItemState, prescriptionState } from './states'

export const sexes = ['female', 'male', 'unknown'] as const
/** What of a patient some medicines are not for. */
export const patientFacts = ['pregnant', 'lactating', 'liver', 'kidney'] as const

export const prescriptionRefusals = defineRefusals('pharmacy', {
  'prescription.state': 409,
  /** Somebody wrote it anew after it was read: what is approved must be what was looked at. */
  'prescription.changed': 409,
  'prescription.notDoctor': 403,
  'prescription.notPharmacist': 403,
  'prescription.practice': 403,
  'prescription.own': 403,
  'prescription.samePerson': 403,
  'prescription.medicine': 422,
  'prescription.medicineTwice': 422,
  'prescription.warned': 422,
  'prescription.needsId': 422,
  'prescription.idNumber': 422,
  'prescription.hospital': 422,
  'prescription.amended': 409,
  'prescription.nothingHeld': 409,
})

const prescription = z.object({
  id: z.int(),
  code: z.string(),
  state: z.enum(prescriptionState.states),
  doctorId: z.int(),
  doctorName: z.string(),
  hospitalName: z.string(),
  department: z.string(),
  /** Masked. */
  patient: z.string(),
  sex: z.enum(sexes),
  age: z.int(),
  condition: z.string(),
  /** Names with their packs. */
  medicines: z.string(),
  warningCount: z.int(),
  uses: z.int(),
  usesLeft: z.int(),
  fillCount: z.int(),
  merchantName: z.string(),
  reviewerName: z.string().nullable(),
  createdAt: zInstant,
  submittedAt: zInstant.nullable(),
  reviewedAt: zInstant.nullable(),
  expiresAt: zInstant,
})
export type Prescription = z.output<typeof prescription>

export const listPrescriptions = listEndpoint({
  name: 'pharmacy.listPrescriptions',
  path: '/api/prescriptions',
  access: 'prescription.read',
  summary: 'Prescriptions of merchants in sight, newest first; doctors see their own',
  filters: {
    code: zSearch.optional(),
    /** Name or account of the doctor. */
    doctor: zSearch.optional(),
    /** The patient's whole name or whole id number. */
    patient: zSearch.optional(),
    state: zAnyOf(prescriptionState.states).optional(),
    hospital: zSearch.optional(),
    medicine: zSearch.optional(),
    repeat: z.enum(['once', 'repeat']).optional(),
    /** `doubt`: a machine has not said what became of it. */
    fill: z.enum(['some', 'none', 'doubt', 'excess']).optional(),
    doctorId: zId.optional(),
    hospitalId: zId.optional(),
    productId: zId.optional(),
    merchantId: zId.optional(),
    /** Written on these days, both included. */
    from: zDay.optional(),
    to: zDay.optional(),
    /** Sold on these business days, both included. */
    soldFrom: zDay.optional(),
    soldTo: zDay.optional(),
  },
  sorts: ['newest', 'waiting', 'expiry'],
  item: prescription,
})

export const prescriptionFields = {
  code: { kind: 'code' },
  state: stateField('prescriptionState', prescriptionState, {
    draft: 'idle',
    submitted: 'warn',
    approved: 'good',
    rejected: 'bad',
    dispensed: 'good',
    expired: 'idle',
    cancelled: 'idle',
  }),
  doctorName: { kind: 'text' },
  hospitalName: { kind: 'text' },
  department: { kind: 'text' },
  patient: { kind: 'text' },
  sex: { kind: 'state', words: 'sex', tones: {} },
  age: { kind: 'count' },
  condition: { kind: 'text' },
  medicines: { kind: 'text' },
  warningCount: { kind: 'count' },
  uses: { kind: 'count' },
  usesLeft: { kind: 'count' },
  fillCount: { kind: 'count' },
  merchantName: { kind: 'text' },
  reviewerName: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
  submittedAt: { kind: 'dateTime' },
  reviewedAt: { kind: 'dateTime' },
  expiresAt: { kind: 'dateTime' },
} satisfies Fields

export const summarisePrescriptions = endpoint({
  name: 'pharmacy.summarisePrescriptions',
  method: 'GET',
  path: '/api/prescriptions/summary',
  access: 'prescription.read',
  input: z.strictObject({}),
  output: z.object({
    waiting: z.int(),
    approved: z.int(),
    rejected: z.int(),
    doubt: z.int(),
    excess: z.int(),
    /** Minutes that the first of the queue has been waiting; null without a queue. */
    longestMinutes: z.int().nullable(),
  }),
  summary: 'How many prescriptions wait for a pharmacist, are valid, came back, and are in doubt',
})

const line = z.object({
  productId: z.int(),
  code: z.string(),
  name: z.string(),
  specification: z.string(),
  /** None of a product that is no medicine any more. */
  medicineClass: z.enum(medicineClasses).nullable(),
  dosageForm: z.string(),
  approvalNumber: z.string(),
  picture: z.string().nullable(),
  quantity: z.int(),
  dose: z.number(),
  doseUnit: z.string(),
  timesADay: z.int(),
  days: z.int(),
  usage: z.string(),
  held: z.int(),
  dispensed: z.int(),
  excess: z.int(),
  /** Of all its uses. */
  left: z.int(),
})

/** Why somebody may not decide on it. */
export const reviewHindrances = ['state', 'own', 'samePerson', 'notPharmacist', 'practice'] as const

const decision = z.object({
  verb: z.enum(['approve', 'reject']),
  by: z.string(),
  licenceNumber: z.string(),
  at: zInstant,
  reason: z.string(),
  contentHash: z.string(),
  signature: z.string(),
  /** Signed by this server, of exactly what stands there. */
  isGenuine: z.boolean(),
  /** What was signed is what it says now. */
  isSameContent: z.boolean(),
  warnings: z.array(warning),
})

const other = z.object({ id: z.int(), code: z.string() }).nullable()

export const getPrescription = endpoint({
  name: 'pharmacy.getPrescription',
  method: 'GET',
  path: '/api/prescriptions/{id}',
  access: 'prescription.read',
  input: z.strictObject({ id: zId }),
  output: prescription.extend({
    version: z.int(),
    contentHash: z.string(),
    hospitalId: z.int().nullable(),
    birthYear: z.int(),
    /** Masked; '' where none was given. */
    idNumber: z.string(),
    patientFacts: z.array(z.enum(patientFacts)),
    allergies: z.array(z.string()),
    advice: z.string(),
    intervalDays: z.int(),
    lines: z.array(line),
    /** As they hold now. */
    warnings: z.array(warning),
    /** Why the doctor kept to it in spite of what was warned of. */
    warningReason: z.string(),
    decisions: z.array(decision),
    lastDispensedAt: zInstant.nullable(),
    /** From when on the next use may begin; null where it may now, or where there is none. */
    nextUseAt: zInstant.nullable(),
    fills: z.array(
      z.object({
        orderId: z.int(),
        orderNo: z.string(),
        machineCode: z.string(),
        machineName: z.string(),
        at: zInstant,
        items: z.array(
          z.object({
            name: z.string(),
            state: z.enum(fillItemState.states),
            batch: z.string().nullable(),
            traceCode: z.string().nullable(),
            priceFen: z.int(),
          }),
        ),
      }),
    ),
    story: z.array(
      z.object({ id: z.int(), at: zInstant, verb: z.string(), who: z.string().nullable(), note: z.string() }),
    ),
    amendedFrom: other,
    amendedTo: other,
    isOwn: z.boolean(),
    hindrance: z.enum(reviewHindrances).nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One prescription with what it says, who decided on it, what was had on it and its story',
})
