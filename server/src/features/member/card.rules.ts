import type { MessageRefusal } from '@aisle/contract/device/messages'
import { type CardState, type CardType, cardTypeRules } from '@aisle/contract/member/card'

/** What a card is worth: paid in, and given on top. */
export type Worth = { balanceFen: number; giftFen: number }

export type CardFacts = Worth & {
  state: CardState
  /** False where the card is for other machines. */
  isForHere: boolean
  /** 0 is without a limit (spec §5). */
  singleMaxFen: number
  dailyCountLimit: number
  dailyAmountFen: number
  /** Of the machine's own calendar day; what came back whole counts no more. */
  chargesToday: number
  spentTodayFen: number
}

/** Why a card may not pay this; null when it may. */
export function chargeRefusal(card: CardFacts, amountFen: number): MessageRefusal | null {
  if (card.state !== 'active') return 'cardNotActive'
  if (!card.isForHere) return 'cardElsewhere'
  if (card.singleMaxFen > 0 && amountFen > card.singleMaxFen) return 'cardLimit'
  if (card.dailyCountLimit > 0 && card.chargesToday >= card.dailyCountLimit) return 'cardLimit'
  if (card.dailyAmountFen > 0 && card.spentTodayFen + amountFen > card.dailyAmountFen) return 'cardLimit'
  return amountFen > card.balanceFen + card.giftFen ? 'cardBalance' : null
}

/**
 * Why nothing may be put on a card (spec §5): it is activated and no gift card, and the number that was read from the
 * one at the desk is its own.
 */
export function topUpRefusal(
  card: { state: CardState; type: CardType; physicalNo: string },
  readNo: string,
  /** What would stand on it as paid in, and the most that the law lets it (State Council, 2011 no. 25). */
  held: { balanceFen: number; mostFen: number } = { balanceFen: 0, mostFen: 0 },
): 'card.otherNumber' | 'card.notActive' | 'card.gift' | 'card.aboveLaw' | null {
  if (card.physicalNo !== readNo) return 'card.otherNumber'
  if (card.state !== 'active') return 'card.notActive'
  if (!cardTypeRules[card.type].canTopUp) return 'card.gift'
  return held.balanceFen > held.mostFen ? 'card.aboveLaw' : null
}

/**
 * The dearest purchase that a card may pay now: its balances, kept to its limits. 0 where none of its kind is left to
 * be had today, or nothing is on it.
 */
export function mostOf(card: CardFacts): number {
  if (card.dailyCountLimit > 0 && card.chargesToday >= card.dailyCountLimit) return 0
  const limits = [card.balanceFen + card.giftFen]
  if (card.singleMaxFen > 0) limits.push(card.singleMaxFen)
  if (card.dailyAmountFen > 0) limits.push(card.dailyAmountFen - card.spentTodayFen)
  return Math.max(0, Math.min(...limits))
}

/** What was given is spent first: what was paid in is the customer's own and stays longest (decisions/0017). */
export function sharesOf(amountFen: number, card: Worth): Worth {
  const giftFen = Math.min(amountFen, card.giftFen)
  return { giftFen, balanceFen: amountFen - giftFen }
}

export type Charged = Worth & { creditedBalanceFen: number; creditedGiftFen: number }

/**
 * What of a credit goes back to which balance: in the shares in which both paid, so that after each credit the gift has
 * back its share of all that came back, rounded down, and after the last one all of it.
 * @throws RangeError for more than is left of the charge
 */
export function creditShares(charge: Charged, amountFen: number): Worth {
  const paidFen = charge.balanceFen + charge.giftFen
  const backFen = charge.creditedBalanceFen + charge.creditedGiftFen + amountFen
  if (amountFen <= 0 || backFen > paidFen) throw new RangeError(`credit of ${amountFen} makes ${backFen} of ${paidFen}`)
  const giftFen = Math.floor((backFen * charge.giftFen) / paidFen) - charge.creditedGiftFen
  return { giftFen, balanceFen: amountFen - giftFen }
}
