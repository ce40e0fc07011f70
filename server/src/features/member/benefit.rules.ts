import type { CardType } from '@aisle/contract/member/card'

export type GiftRule = {
  cardType: CardType | null
  fromFen: number
  giftFen: number
  fromDay: string
  toDay: string | null
}
type Put = { type: CardType; amountFen: number; day: string }

/** Those in force that day for cards of that kind, whatever is put on. */
const giftRulesFor = (rules: readonly GiftRule[], { type, day }: Pick<Put, 'type' | 'day'>): GiftRule[] =>
  rules.filter(
    ({ cardType, fromDay, toDay }) =>
      (cardType === null || cardType === type) && fromDay <= day && (toDay === null || day <= toDay),
  )

/** The best that the rules give, fen; null where none is in force for such a card, so that the desk decides. */
export function giftOf(rules: readonly GiftRule[], put: Put): number | null {
  const own = giftRulesFor(rules, put)
  if (own.length === 0) return null
  return Math.max(0, ...own.filter(({ fromFen }) => put.amountFen >= fromFen).map(({ giftFen }) => giftFen))
}
