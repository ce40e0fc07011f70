import { stateTable } from '../kernel/states'

/** A stopped merchant's users are out; whether its machines sell on is said with the stopping. */
export const merchantState = stateTable({
  initial: 'active',
  states: ['active', 'stopped'],
  moves: {
    stop: { from: ['active'], to: 'stopped' },
    resume: { from: ['stopped'], to: 'active' },
  },
})
export type MerchantState = (typeof merchantState.states)[number]
