import type { MessageRefusal } from '@aisle/contract/device/messages'
import { PICKUP_CODE_MONTHS, type PickupCodeState, pickupCodeState } from '@aisle/contract/pickup/states'

/** A code as a machine asks for it. */
export type CodeFacts = {
  state: PickupCodeState
  expiresAt: Date
  /** A product of the content was taken out of sale, or no machine of the scope is left. */
  isValid: boolean
  isForHere: boolean
  /** What one pick-up gives: a product for each piece. */
  content: readonly number[]
  /** Places in the content that came out of the pick-up under way. */
  taken: readonly number[]
  shipped: number
}

const spent: readonly PickupCodeState[] = ['in_use', 'fully_shipped', 'used']
const ended: readonly PickupCodeState[] = ['cancelled', 'logged_out', 'invalid']

/** Why a code gives nothing here and now; null when it does. */
export function codeRefusal(code: CodeFacts, now: Date): MessageRefusal | null {
  if (!code.isForHere) return 'codeElsewhere'
  if (spent.includes(code.state)) return 'codeSpent'
  if (ended.includes(code.state)) return 'codeInvalid'
  if (code.state === 'expired' || code.expiresAt <= now) return 'codeExpired'
  return code.isValid ? null : 'codeInvalid'
}

/**
 * The places in the content that these products take, each once, in the order in which they were asked for; null where
 * the pick-up under way does not hold them all (any more). A part may be taken, and the rest elsewhere.
 */
export function placesFor(code: Pick<CodeFacts, 'content' | 'taken'>, products: readonly number[]): number[] | null {
  const places: number[] = []
  for (const product of products) {
    const place = code.content.findIndex(
      (own, index) => own === product && !code.taken.includes(index) && !places.includes(index),
    )
    if (place < 0) return null
    places.push(place)
  }
  return places.length > 0 ? places : null
}

/** Which pick-up of the code is under way, from 1. */
export const pickupOf = (code: Pick<CodeFacts, 'content' | 'taken' | 'shipped'>): number =>
  (code.shipped - code.taken.length) / code.content.length + 1

/** What is left: pieces of each product in the pick-up under way, and pick-ups with it. `pieces` is of all pick-ups. */
export function leftOf(code: Pick<CodeFacts, 'content' | 'taken' | 'shipped'> & { pieces: number }): {
  pieces: Map<number, number>
  pickupsLeft: number
} {
  const pieces = new Map<number, number>()
  code.content.forEach((product, place) => {
    if (!code.taken.includes(place)) pieces.set(product, (pieces.get(product) ?? 0) + 1)
  })
  return { pieces, pickupsLeft: code.pieces / code.content.length - pickupOf(code) + 1 }
}

/** Of what was asked for, the places whose pieces came out. */
export function placesOut(
  use: { asked: readonly number[] },
  content: readonly number[],
  dispensed: readonly number[],
): number[] {
  const left = [...dispensed]
  return use.asked.filter((place) => {
    const at = left.indexOf(content[place] ?? -1)
    if (at < 0) return false
    left.splice(at, 1)
    return true
  })
}

export type Settling = Pick<CodeFacts, 'state' | 'content' | 'taken' | 'shipped'> & {
  /** Pieces that it gives in all. */
  pieces: number
  /** What another machine has in hand meanwhile. */
  heldElsewhere: readonly number[]
}
export type UseFacts = { pickup: number; asked: readonly number[]; out: readonly number[]; isSettled: boolean }
export type SettledCode = { state: PickupCodeState; taken: number[]; shipped: number; extra: number }

/**
 * Where a code stands once it is known which pieces of one of its uses came out: for the first time when the order
 * ends, and again when something came out late. A late piece takes its place in the content if that is still free; if
 * it was given away meanwhile, it is one too many and counted as that.
 */
export function settleCode(code: Settling, use: UseFacts, out: readonly number[]): SettledCode {
  const fresh = out.filter((place) => !use.out.includes(place))
  const isUnderWay = use.pickup === pickupOf(code)
  const busy = use.isSettled ? [...code.taken, ...code.heldElsewhere] : code.taken
  const counted = isUnderWay ? fresh.filter((place) => !busy.includes(place)) : []
  const shipped = code.shipped + counted.length
  const taken = [...code.taken, ...counted]
  return {
    state: stateAfter(code, shipped, { isHeld: !use.isSettled, isMore: counted.length > 0 }),
    taken: taken.length === code.content.length ? [] : taken,
    shipped,
    extra: fresh.length - counted.length,
  }
}

function stateAfter(
  code: Settling,
  shipped: number,
  { isHeld, isMore }: { isHeld: boolean; isMore: boolean },
): PickupCodeState {
  if (!isHeld && (!isMore || code.state === 'in_use')) return code.state
  const verb = shipped >= code.pieces ? 'shipAll' : shipped > 0 ? 'shipPart' : 'giveBack'
  return pickupCodeState.can(code.state, verb) ? pickupCodeState.to(verb) : code.state
}

/** Spec §9: half a year, by the calendar; the last day of a month stays one. `day` is that of the merchant's zone. */
export function monthsLater(day: string, months: number = PICKUP_CODE_MONTHS): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}
