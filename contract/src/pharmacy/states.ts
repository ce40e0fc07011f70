import { stateNames, stateTable } from '../kernel/states'

/** Domain rules, section 3: written by a doctor, reviewed by a pharmacist who is not its doctor. */
export const prescriptionState = stateTable({
  initial: 'draft',
  states: ['draft', 'submitted', 'approved', 'rejected', 'dispensed', 'expired', 'cancelled'],
  moves: {
    submit: { from: ['draft', 'rejected'], to: 'submitted' },
    approve: { from: ['submitted'], to: 'approved' },
    reject: { from: ['submitted'], to: 'rejected' },
    /** Nothing of it is left: its last pack is with the patient. Until then a jam gives back what it held. */
    dispense: { from: ['approved'], to: 'dispensed' },
    expire: { from: ['draft', 'submitted', 'approved', 'rejected'], to: 'expired' },
    cancel: { from: ['draft', 'submitted', 'rejected', 'approved'], to: 'cancelled' },
  },
  sets: { over: ['dispensed', 'expired', 'cancelled'], reviewed: ['submitted', 'approved', 'rejected'] },
})
export type PrescriptionState = (typeof prescriptionState.states)[number]

/** Of a piece that a prescription holds; worked out from what its order says of it, each time anew. */
export const fillItemState = stateNames(['held', 'unknown', 'dispensed', 'free'], { heldStill: ['held', 'unknown'] })
export type FillItemState = (typeof fillItemState.states)[number]
