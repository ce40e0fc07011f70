import type { reviewHindrances } from '@aisle/contract/pharmacy/prescription'
import { prescriptionState, type PrescriptionState } from '@aisle/contract/pharmacy/states'

export type Hindrance = (typeof reviewHindrances)[number]

type Person = { userId: number; phone: string | null; email: string | null }
type Reviewer = Person & { profession: 'doctor' | 'pharmacist' | null; licenceNumber: string | null }

/**
 * Why somebody may not decide on a prescription (domain rules, section 3; goals M7): nobody approves their own, under
 * no other account either. Who has the same telephone or address is taken for the same person.
 */
export function reviewHindrance(reviewer: Reviewer, doctor: Person, state: PrescriptionState): Hindrance | null {
  if (reviewer.userId === doctor.userId) return 'own'
  if (isSame(reviewer.phone, doctor.phone) || isSame(reviewer.email, doctor.email)) return 'samePerson'
  if (reviewer.profession !== 'pharmacist') return 'notPharmacist'
  if (reviewer.licenceNumber === null) return 'practice'
  return prescriptionState.can(state, 'approve') ? null : 'state'
}

const isSame = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && a.trim() !== '' && a.trim().toLowerCase() === b.trim().toLowerCase()
