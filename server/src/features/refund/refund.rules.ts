import type { RefundCause, RefundState } from '@aisle/contract/refund/states'
import {
  type ItemState,
  type PaymentMethod,
  type PaymentState,
  type Problem,
  paymentState,
} from '@aisle/contract/trade/states'
import { isUndelivered } from '../trade/public'

const DAY_MS = 86_400_000
/** WeChat takes refunds for 365 days (pay.weixin.qq.com, 4012556457); the others are asked no longer than that. */
const CHANNEL_DAYS = 365
/** WeChat allows 50 partial refunds of a payment. */
export const MOST_REFUNDS = 50
/** And one a minute, each with its own number. */
export const BETWEEN_REFUNDS_MS = 60_000

/** Specification §4: jam, ship timeout, other. What a machine did not answer for timed out; all else jammed. */
export const causeOf = (states: readonly ItemState[]): RefundCause =>
  states.includes('no_answer') ? 'ship_timeout' : 'jam'

/** How the money can go back. Words that are no route are why a person has to pay it back by hand. */
export type PaybackRoute = 'channel' | 'card' | 'cash' | 'reader' | 'tooOld' | 'tooMany'

export type Paid = {
  method: PaymentMethod
  /** Of the attempt that a channel took the money by; the machine's own reader leaves none. */
  attemptId: number | null
  paidAt: Date
  refunds: number
}

export function paybackRouteOf({ method, attemptId, paidAt, refunds }: Paid, now: Date): PaybackRoute {
  if (method === 'cash') return 'cash'
  if (method === 'member_card') return 'card'
  if (attemptId === null) return 'reader'
  if (now.getTime() - paidAt.getTime() > CHANNEL_DAYS * DAY_MS) return 'tooOld'
  return refunds >= MOST_REFUNDS ? 'tooMany' : 'channel'
}

export const isPayable = (route: PaybackRoute): boolean => route === 'channel' || route === 'card'

/** Where a refund stands once it was decided that the money goes back. */
export const sentOrHanded = (route: PaybackRoute): { state: RefundState; detail: string | null } =>
  isPayable(route) ? { state: 'refunding', detail: null } : { state: 'needs_handling', detail: route }

type Money = { paidFen: number; refundedFen: number; isUnderWay: boolean }

/**
 * Where an order's payment stands by its refunds, through the state table: a move that the table does not know throws,
 * and a refund that failed leaves the order as paid as it was.
 */
export function paymentAfter(from: PaymentState, { paidFen, refundedFen, isUnderWay }: Money): PaymentState {
  const to = isUnderWay ? 'refunding' : refundedFen === 0 ? 'paid' : refundedFen < paidFen ? 'part' : 'full'
  if (to === 'refunding') return from === 'refunding' ? from : moved(from, 'refund')
  if (to === 'paid') return from === 'refunding' ? moved(from, 'failRefund') : from
  if (to === 'full' && from === 'refunded') return from
  const sent = from === 'refunding' ? from : moved(from, 'refund')
  return moved(sent, to === 'part' ? 'settlePart' : 'settleFull')
}

function moved(from: PaymentState, verb: keyof typeof paymentState.moves): PaymentState {
  if (!paymentState.can(from, verb)) throw new RangeError(`a payment that is ${from} does not ${verb}`)
  return paymentState.to(verb)
}

const MINUTE_MS = 60_000
/** When to ask again what became of it: soon at first, then each hour. */
export const askAgainMs = (asks: number): number => Math.min(60, 2 ** Math.min(asks, 6)) * MINUTE_MS

/** A refund that never reached the channel is sent again by itself so often, always under its number. */
export const SENDS = 3

/**
 * Whether who asked may not approve: above the limit a person's own request needs another's eyes, and so do the parts
 * that it is asked for in. What counts is the limit when it was asked for.
 */
export const isOwnAboveLimit = (
  refund: { requestedById: number | null; unseenFen: number },
  userId: number,
  limitFen: number,
): boolean => refund.requestedById === userId && refund.unseenFen > limitFen

export type StandingItem = { state: ItemState; shareFen: number; isGone: boolean }

type Troubled = { problem: Problem | null; orderState: string; paidFen: number; refundedFen: number }

/**
 * What is wrong with an order once its refunds stand as they do. What was owed and went back is solved; goods that came
 * out although their money went back are another problem than goods that came late.
 */
export function problemAfter(order: Troubled, items: readonly StandingItem[]): Problem | null {
  const { problem, refundedFen, paidFen } = order
  if (problem === null || problem === 'dispensed_after_refund') return problem
  // Money that goes back does not make lawful what was sold, nor one pack of two.
  if (problem === 'unlawful_sale' || problem === 'sold_twice') return problem
  if (items.some(({ state, isGone }) => state === 'dispensed' && isGone)) return 'dispensed_after_refund'
  if (refundedFen === 0 || problem === 'late_result') return problem
  if (refundedFen === paidFen) return null
  if (problem !== 'undelivered' && problem !== 'no_answer') return problem
  const owedFen = items.reduce((sum, { state, shareFen }) => sum + (isUndelivered(state) ? shareFen : 0), 0)
  return refundedFen >= owedFen ? null : problem
}

type Asked = {
  isPlayed: boolean
  method: PaymentMethod
  orderState: string
  paymentState: PaymentState
  problem: Problem | null
  paidFen: number
  refunds: number
}

export type ApplyRefusal =
  | 'refund.lottery'
  | 'refund.freeOfCharge'
  | 'refund.notPaid'
  | 'refund.isOpen'
  | 'refund.nothingLeft'
  | 'refund.tooMany'

/** Why nobody may ask for a refund of an order now; null when they may. What was played for stays (spec §9). */
export function applyRefusal(order: Asked): ApplyRefusal | null {
  if (order.isPlayed) return 'refund.lottery'
  if (order.method === 'pickup_code') return 'refund.freeOfCharge'
  if (order.paymentState === 'unpaid' || order.paymentState === 'closed' || order.paidFen === 0) return 'refund.notPaid'
  if (order.paymentState === 'refunded') return 'refund.nothingLeft'
  // The machine is at it; what was paid wrongly is not shipped at all.
  if (order.orderState === 'open' && order.problem !== 'amount_mismatch') return 'refund.isOpen'
  return order.refunds >= MOST_REFUNDS ? 'refund.tooMany' : null
}
