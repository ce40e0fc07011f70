import type { CustomerHeld } from '@aisle/contract/support/customer'
import { type Claim, isAmountOf, type Judged } from './match.rules'

const HOUR_MS = 3600_000
/** So many cases of a number in so long a time, and from then on a person decides. */
export const PHONE_CASES = 3
export const PHONE_WITHIN_MS = 30 * 24 * HOUR_MS
/** More cases than that at a machine, and it is the machine that has to be looked at. */
export const MACHINE_CASES = 5
export const MACHINE_WITHIN_MS = 24 * HOUR_MS

export type Counted = {
  /** In fen; 0 pays nothing back by itself. */
  limitFen: number
  /** Cases before this one: of the number in its time, and at the machine in its. */
  ofPhone: number
  atMachine: number
}

/**
 * Why the money does not go back by itself; null where it does. Only what the machine itself says did not come out, and
 * only where no other order of the amount was paid within the time: who complains may be anybody, and the money goes to
 * whoever paid.
 */
export function heldBecause(
  claim: Claim,
  best: Judged | undefined,
  near: readonly Judged[],
  { limitFen, ofPhone, atMachine }: Counted,
): CustomerHeld | null {
  if (!best) return near.some(({ isUntold }) => isUntold) ? 'untold' : 'nothingFound'
  if (best.failedFen === 0 && best.isUntold) return 'untold'
  if (best.failedFen === 0 || (claim.kind !== 'nothing' && claim.kind !== 'stuck')) return 'notReported'
  if (!isAmountOf(claim, best)) return 'otherAmount'
  if (near.some((other) => other.orderId !== best.orderId && isAmountOf(claim, other))) return 'several'
  if (limitFen === 0) return 'off'
  if (best.failedFen > limitFen) return 'aboveLimit'
  if (ofPhone >= PHONE_CASES) return 'phoneOften'
  return atMachine >= MACHINE_CASES ? 'machineOften' : null
}
