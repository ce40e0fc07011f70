import { stateTable } from '../kernel/states'

/**
 * Of a batch. Only an available one is sold, and only through its last day: that it has expired follows from the day.
 * What is held back may still be counted, scrapped and returned.
 */
export const batchState = stateTable({
  initial: 'available',
  states: ['available', 'locked', 'recalled', 'rejected'],
  moves: {
    lock: { from: ['available'], to: 'locked' },
    release: { from: ['locked'], to: 'available' },
    /** Only a recall does it, and nothing leads back. */
    recall: { from: ['available', 'locked'], to: 'recalled' },
    /** None of it is ever sold again. */
    reject: { from: ['available', 'locked', 'recalled'], to: 'rejected' },
  },
  sets: { stopped: ['locked', 'recalled', 'rejected'] },
})
export type BatchState = (typeof batchState.states)[number]

/** Why a batch may not be sold on a day. */
export const batchHindrances = ['locked', 'recalled', 'rejected', 'expired'] as const
export type BatchHindrance = (typeof batchHindrances)[number]
