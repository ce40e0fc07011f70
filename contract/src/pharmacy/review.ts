import { z } from 'zod'
import { endpoint, zId } from '../kernel/endpoint'
import { prescriptionState } from './states'

const changed = z.object({ id: z.int(), code: z.string(), state: z.enum(prescriptionState.states) })
const review = { method: 'POST' as const, access: 'prescription.review' as const, writes: true, output: changed }
/** Of what was looked at; another one is refused. */
const contentHash = z.string().regex(/^[0-9a-f]{64}$/)
const refusals = [
  'request.notFound',
  'prescription.state',
  'prescription.changed',
  'prescription.own',
  'prescription.samePerson',
  'prescription.notPharmacist',
  'prescription.practice',
] as const

export const approvePrescription = endpoint({
  ...review,
  name: 'pharmacy.approvePrescription',
  path: '/api/prescriptions/{id}/approve',
  input: z.strictObject({ id: zId, contentHash, reason: z.string().trim().max(200).default('') }),
  refusals: [...refusals, 'prescription.warned'],
  summary: 'A pharmacist signs it; where there are warnings, with a reason. Never its own doctor',
})

export const rejectPrescription = endpoint({
  ...review,
  name: 'pharmacy.rejectPrescription',
  path: '/api/prescriptions/{id}/reject',
  input: z.strictObject({ id: zId, contentHash, reason: z.string().trim().min(2).max(200) }),
  refusals,
  summary: 'A pharmacist sends it back to its doctor, and why',
})

export const releasePrescription = endpoint({
  ...review,
  name: 'pharmacy.releasePrescription',
  path: '/api/prescriptions/{id}/release',
  input: z.strictObject({ id: zId, orderId: zId, reason: z.string().trim().min(2).max(200) }),
  refusals: ['request.notFound', 'prescription.nothingHeld'],
  summary: 'Give back what an order holds of which the machine never said whether it came out',
})

export const revealPatient = endpoint({
  ...review,
  name: 'pharmacy.revealPatient',
  path: '/api/prescriptions/{id}/reveal',
  access: 'prescription.reveal',
  input: z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) }),
  output: z.object({ name: z.string(), idNumber: z.string() }),
  refusals: ['request.notFound'],
  summary: "The patient's name and id number in full, and why they are needed",
})
