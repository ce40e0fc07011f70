/**
 * How a balance of the books is read by people. The ledger keeps debits less credits, so whatever is owed, earned or
 * somebody else's stands below zero there; read, it is an amount and a word for who owes whom.
 */
const natures = {
  pending: 'owed',
  available: 'owed',
  withdrawing: 'owed',
  cash_owned: 'own',
  card_liability: 'card',
  gift_liability: 'card',
  split_payable: 'payable',
  tax_payable: 'payable',
  supplier_due: 'payable',
  fees: 'earned',
  suspense: 'unexplained',
  channel_fee: 'spent',
  coupon_cost: 'spent',
  price_difference: 'spent',
  loss: 'spent',
} as const
type Nature = (typeof natures)[keyof typeof natures] | 'held'

const natureOf = (kind: string): Nature => (kind in natures ? natures[kind as keyof typeof natures] : 'held')

/** 1 where an account is a debit by its nature, -1 where it is a credit. */
export const signOf = (kind: string): 1 | -1 => (['held', 'spent'].includes(natureOf(kind)) ? 1 : -1)

const allNatures = ['held', 'owed', 'own', 'card', 'payable', 'earned', 'spent', 'unexplained'] as const
export const balanceSides = [
  'settled',
  ...allNatures.flatMap((nature) => [nature, `${nature}_back`] as const),
] as const satisfies readonly string[]
export type BalanceSide = (typeof balanceSides)[number]

/** Below zero only where it stands on the side that it does not belong on, and its word says so. */
export function readBalance(kind: string, balanceFen: number): { shownFen: number; side: BalanceSide } {
  // 0 has no sign.
  const shownFen = balanceFen * signOf(kind) || 0
  if (shownFen === 0) return { shownFen, side: 'settled' }
  return { shownFen, side: shownFen > 0 ? natureOf(kind) : `${natureOf(kind)}_back` }
}
