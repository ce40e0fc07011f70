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

/** What is known of a batch; without a row of its own nobody knows more than its number, or not even that. */
export type BatchFacts = { state: BatchState | null; expiresOn: string | null }

/**
 * Why a batch may not be sold on a day; null when it may (domain rules, section 3). The one rule that every road asks.
 * Good to the end of the day that the pack says, less the days that its user needs to use it up.
 */
export function hindranceOf({ state, expiresOn }: BatchFacts, day: string, marginDays = 0): BatchHindrance | null {
  if (state === 'locked' || state === 'recalled' || state === 'rejected') return state
  if (expiresOn !== null && expiresOn < daysAfter(day, marginDays)) return 'expired'
  return null
}

export const sellable = (batch: BatchFacts, day: string, marginDays = 0): boolean =>
  hindranceOf(batch, day, marginDays) === null

const DAY_MS = 86_400_000
const daysAfter = (day: string, days: number): string =>
  days === 0 ? day : new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
