import { stateTable } from '../kernel/states'

/** Spec §3, card type. */
export const cardTypes = ['ordinary', 'student', 'staff', 'test', 'gift'] as const
export type CardType = (typeof cardTypes)[number]

/** Spec §4, card status. Replacing cancels the old card; what is on it moves to the new one. */
export const cardState = stateTable({
  initial: 'not_activated',
  states: ['not_activated', 'active', 'locked', 'lost', 'cancelled'],
  moves: {
    activate: { from: ['not_activated'], to: 'active' },
    lock: { from: ['active'], to: 'locked' },
    unlock: { from: ['locked'], to: 'active' },
    reportLost: { from: ['active', 'locked'], to: 'lost' },
    cancel: { from: ['not_activated', 'active', 'locked', 'lost'], to: 'cancelled' },
  },
})
export type CardState = (typeof cardState.states)[number]
