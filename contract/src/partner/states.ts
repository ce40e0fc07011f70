import { stateTable } from '../kernel/states'

/** What another program is told of its shipment, until it says that it heard it. */
export const callbackState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'delivered', 'failed'],
  moves: {
    deliver: { from: ['waiting'], to: 'delivered' },
    /** Tried as often as it is tried. */
    giveUp: { from: ['waiting'], to: 'failed' },
    /** By a person: whatever was heard before is said once more. */
    again: { from: ['delivered', 'failed'], to: 'waiting' },
  },
})

/** What came of a requested shipment; follows from its items. */
export const shipmentResults = ['shipping', 'dispensed', 'partly', 'failed', 'timeout'] as const
export type ShipmentResult = (typeof shipmentResults)[number]
