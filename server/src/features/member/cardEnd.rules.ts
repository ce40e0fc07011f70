import { CASH_BACK_MOST_FEN, type CancelReason } from '@aisle/contract/member/card'
import type { Worth } from './card.rules'

/** A top-up with what was given on top of it. They are kept apart: what is paid back depends on each. */
export type Lot = { amountFen: number; giftFen: number; topUpId?: number }
export type UsedLot = Lot & { usedFen: number }

const sum = (fens: readonly number[]) => fens.reduce((all, fen) => all + fen, 0)
const worthOf = ({ balanceFen, giftFen }: Worth) => balanceFen + giftFen
const sizeOf = ({ amountFen, giftFen }: Lot) => amountFen + giftFen

/**
 * What of each lot is used: the oldest first, whatever balance each purchase came from, so that who topped up with a
 * better gift lately keeps it. What is on a card beyond all lots came before there were any, and counts as paid in.
 */
export function usedLots(lots: readonly Lot[], worth: Worth): UsedLot[] {
  const beyondFen = worthOf(worth) - sum(lots.map(sizeOf))
  if (beyondFen > 0) return usedLots([{ amountFen: beyondFen, giftFen: 0 }, ...lots], worth)
  let leftFen = -beyondFen
  return lots.map((lot) => {
    const usedFen = Math.min(leftFen, sizeOf(lot))
    leftFen -= usedFen
    return { ...lot, usedFen }
  })
}

/**
 * What its holder gets back of a card that ends (Supreme People's Court, 2025 no. 4, §15 to §20): by the issuer's
 * wish, what was paid less the share of it that was used; by the holder's, what was paid less what was used at the
 * price without a gift, and never below nothing.
 */
export function owedBack(lots: readonly UsedLot[], worth: Worth, why: CancelReason): number {
  const ofLot = ({ amountFen, giftFen, usedFen }: UsedLot) => {
    if (amountFen === 0) return 0
    if (why === 'holder') return Math.max(0, amountFen - usedFen)
    return amountFen - Math.round((usedFen * amountFen) / (amountFen + giftFen))
  }
  return Math.min(worth.balanceFen, sum(lots.map(ofLot)))
}

/**
 * What of a lot nobody has touched: what its holder gets back of it, and what is taken from which balance. Never more
 * than is paid in on the card, nor a gift of another lot, whichever of them the purchases since were taken from.
 */
export function untouchedOf(lot: UsedLot, worth: Worth): Worth & { paidFen: number } {
  const leftFen = sizeOf(lot) - lot.usedFen
  const paidFen = Math.min(lot.amountFen, leftFen, worth.balanceFen)
  const giftFen = Math.min(worth.giftFen, lot.giftFen, leftFen - paidFen)
  return { paidFen, giftFen, balanceFen: Math.min(worth.balanceFen, leftFen - giftFen) }
}

export function payOutRefusal(asked: {
  paidFen: number
  shownFen: number
  method: string
  /** The same person asked for the card's end. */
  isOwn: boolean
  secondLookFen: number
}): 'card.amountChanged' | 'card.cashLimit' | 'card.ownRequest' | null {
  if (asked.paidFen !== asked.shownFen) return 'card.amountChanged'
  if (asked.method === 'cash' && asked.paidFen > CASH_BACK_MOST_FEN) return 'card.cashLimit'
  return asked.isOwn && asked.paidFen > asked.secondLookFen ? 'card.ownRequest' : null
}
