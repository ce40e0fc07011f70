import { stateTable } from '../kernel/states'

/** Spec §4; `other` is also shown as what it was: a person's own reason stands beside it. */
export const refundCauses = ['jam', 'ship_timeout', 'other'] as const
export type RefundCause = (typeof refundCauses)[number]

/** In these somebody or something still has to act. */
export const waitingStates = ['pending_review', 'refunding', 'unknown', 'failed', 'needs_handling'] as const

/**
 * Money on its way back. A channel that took the request has only accepted it; its notification or a query says how it
 * ended. Silence is `unknown`. A retry keeps the refund's number, so it pays once.
 */
export const refundState = stateTable({
  initial: 'pending_review',
  states: ['pending_review', 'refunding', 'unknown', 'refunded', 'failed', 'needs_handling', 'rejected', 'paid_back'],
  moves: {
    approve: { from: ['pending_review'], to: 'refunding' },
    /** Agreed to, but no channel can pay it. */
    approveByHand: { from: ['pending_review'], to: 'needs_handling' },
    /** Also what waits for a person, as long as no channel was ever asked to pay it. */
    reject: { from: ['pending_review', 'needs_handling'], to: 'rejected' },
    confirm: { from: ['refunding', 'unknown', 'failed', 'needs_handling'], to: 'refunded' },
    lose: { from: ['refunding'], to: 'unknown' },
    fail: { from: ['refunding', 'unknown'], to: 'failed' },
    /** The channel wants a person, such as for a card that was closed. */
    hand: { from: ['refunding', 'unknown', 'failed'], to: 'needs_handling' },
    retry: { from: ['failed', 'needs_handling', 'unknown'], to: 'refunding' },
    /** Paid back another way, by transfer or in cash, proved and approved by a second person. */
    payBack: { from: ['failed', 'needs_handling'], to: 'paid_back' },
  },
  sets: {
    waiting: waitingStates,
    /** A channel was asked, and its last word is not known. */
    underWay: ['refunding', 'unknown'],
    /** The money is with the customer. */
    back: ['refunded', 'paid_back'],
    /** The money went to the customer, or is on its way and nobody stops it. */
    gone: ['refunding', 'unknown', 'refunded', 'paid_back'],
  },
})
export type RefundState = (typeof refundState.states)[number]

/** How a person pays back what no channel can: to a bank account, or in cash. */
export const payBackWays = ['transfer', 'cash'] as const
