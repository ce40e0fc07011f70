import { entry, moving, type Posting } from './ledger.rules'

type Worth = { balanceFen: number; giftFen: number }

/** All that is on one card stands on another of the same issuer. */
export function cardMovePostings(move: Worth & { fromId: number; toId: number; merchantId: number }): Posting[] {
  const { fromId, toId, merchantId, balanceFen, giftFen } = move
  return moving([
    entry('card_liability', merchantId, String(fromId), balanceFen),
    entry('card_liability', merchantId, String(toId), -balanceFen),
    entry('gift_liability', merchantId, String(fromId), giftFen),
    entry('gift_liability', merchantId, String(toId), -giftFen),
  ])
}

/**
 * What comes off a card that its issuer pays back: it paid its holder, or keeps what it had given on top, and brings in
 * that much less (docs/decisions/0024). A gift that nobody used is no cost.
 */
export function cardPayOutPostings(back: Worth & { cardId: number; merchantId: number }): Posting[] {
  const { cardId, merchantId, balanceFen, giftFen } = back
  return moving([
    entry('card_liability', merchantId, String(cardId), balanceFen),
    entry('card_due', merchantId, '', -balanceFen),
    entry('gift_liability', merchantId, String(cardId), giftFen),
    entry('coupon_cost', merchantId, '', -giftFen),
  ])
}
