import { stateTable } from '../kernel/states'

/** Specification §9, in fen: 1.01 to 200,000 yuan. */
export const LEAST_FEN = 101
export const MOST_FEN = 20_000_000

/** For so long a bank may say otherwise than it first said. */
export const OPEN_DAYS = 7

/** In which somebody else's money may be held and paid out: everywhere else the channel pays the merchant itself. */
export const payingModes = ['custody', 'demo'] as const

/**
 * Money on its way from what a merchant has with us to its bank. A bank that took an order has only accepted it;
 * silence is `unknown`, and it is asked again under the same number. Neither yes nor no is final for a week.
 */
export const withdrawalState = stateTable({
  initial: 'requested',
  states: [
    'requested',
    'checked',
    'approved',
    'paying',
    'unknown',
    'paid',
    'rejected',
    'cancelled',
    'failed',
    'returned',
  ],
  moves: {
    /** The first of two, above the limit. */
    check: { from: ['requested'], to: 'checked' },
    approve: { from: ['requested', 'checked'], to: 'approved' },
    /** Also what was approved, as long as the bank was never asked. */
    reject: { from: ['requested', 'checked', 'approved'], to: 'rejected' },
    cancel: { from: ['requested', 'checked'], to: 'cancelled' },
    send: { from: ['approved'], to: 'paying' },
    lose: { from: ['paying'], to: 'unknown' },
    hear: { from: ['unknown'], to: 'paying' },
    confirm: { from: ['paying', 'unknown'], to: 'paid' },
    fail: { from: ['paying', 'unknown'], to: 'failed' },
    giveBack: { from: ['paid'], to: 'returned' },
    /** The bank paid after it had said that it would not. */
    confirmLate: { from: ['failed'], to: 'paid' },
  },
  sets: {
    /** Somebody has to decide. */
    waiting: ['requested', 'checked'],
    /** Off what the merchant has, and not at its bank yet. */
    inTransit: ['requested', 'checked', 'approved', 'paying', 'unknown'],
    /** The bank has it. */
    underWay: ['paying', 'unknown'],
    /** The bank did not pay, or not in the end. */
    cameBack: ['failed', 'returned'],
    /** Back on what the merchant has. */
    undone: ['rejected', 'cancelled', 'failed', 'returned'],
  },
})
export type WithdrawalState = (typeof withdrawalState.states)[number]
