import { stateTable } from '@aisle/contract/kernel/states'

/** Of a machine that has been asked to take the software; the others have none. */
export const takingState = stateTable({
  initial: 'open',
  states: ['open', 'done', 'failed', 'missed'],
  moves: {
    /** Again, what was away. */
    ask: { from: ['missed'], to: 'open' },
    finish: { from: ['open', 'missed'], to: 'done' },
    fail: { from: ['open', 'missed'], to: 'failed' },
    miss: { from: ['open'], to: 'missed' },
  },
  sets: { taking: ['open', 'done'] },
})
