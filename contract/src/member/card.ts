import { z } from 'zod'
import { stateTable } from '../kernel/states'

/** Spec §3, card type. */
export const cardTypes = ['ordinary', 'student', 'staff', 'test', 'gift'] as const
export type CardType = (typeof cardTypes)[number]

/** `canTopUp`: spec §5. `isNamed`: it pays only while a member's name is on it. */
export const cardTypeRules: Record<CardType, { canTopUp: boolean; isNamed: boolean }> = {
  ordinary: { canTopUp: true, isNamed: false },
  student: { canTopUp: true, isNamed: true },
  staff: { canTopUp: true, isNamed: true },
  test: { canTopUp: true, isNamed: false },
  gift: { canTopUp: false, isNamed: false },
}

/** Spec §4, card status. Replacing cancels the old card; what is on it moves to the new one. */
export const cardState = stateTable({
  initial: 'not_activated',
  states: ['not_activated', 'active', 'locked', 'lost', 'cancelling', 'cancelled'],
  moves: {
    activate: { from: ['not_activated'], to: 'active' },
    lock: { from: ['active'], to: 'locked' },
    unlock: { from: ['locked'], to: 'active' },
    reportLost: { from: ['active', 'locked'], to: 'lost' },
    recover: { from: ['lost'], to: 'active' },
    replace: { from: ['active', 'locked', 'lost'], to: 'cancelled' },
    /** Until its holder has the money back it is not over. */
    cancel: { from: ['not_activated', 'active', 'locked', 'lost'], to: 'cancelling' },
    keep: { from: ['cancelling'], to: 'locked' },
    payOut: { from: ['cancelling'], to: 'cancelled' },
  },
  sets: {
    standing: ['not_activated', 'active', 'locked', 'lost'],
    over: ['cancelling', 'cancelled'],
    uncancelled: ['not_activated', 'active', 'locked', 'lost', 'cancelling'],
  },
})
export type CardState = (typeof cardState.states)[number]

/** Whose wish it is that a card ends: what is paid back follows from it (Supreme People's Court, 2025 no. 4). */
export const cancelReasons = ['issuer', 'holder'] as const
export type CancelReason = (typeof cancelReasons)[number]

/** In cash at most so much is paid back (General Office of the State Council, 2011 no. 25). */
export const CASH_BACK_MOST_FEN = 10_000

export const zPhysicalNo = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{8}$/)
export const zLogicalNo = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{4,20}$/)
