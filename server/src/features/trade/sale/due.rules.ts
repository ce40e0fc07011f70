import type { ItemState } from '@aisle/contract/trade/states'

type OwingOrder = {
  /** A drawn play: nothing of it goes back (specification §9). One that never took place is no lottery sale. */
  isPlayed: boolean
  orderState: 'open' | 'done' | 'closed'
  paidFen: number
  /** Of what was paid, what refunds hold that were not rejected. */
  heldFen: number
}
type OwingItem = { state: ItemState; shareFen: number; isHeld: boolean }

const undelivered: readonly ItemState[] = ['jammed', 'failed', 'no_answer']
export const isUndelivered = (state: ItemState): boolean => undelivered.includes(state)

/**
 * What of an order's money, in fen, is due back and no refund stands for yet, and the items that it is due for
 * (specification §9): what did not come out once the order has ended; of one that was paid after it was closed, all of
 * it. What a person gave back as an amount alone counts towards what did not come out.
 */
export function dueBack<T extends OwingItem>(
  order: OwingOrder,
  items: readonly T[],
): { amountFen: number; items: readonly T[] } {
  const nothing = { amountFen: 0, items: [] }
  if (order.isPlayed || order.orderState === 'open') return nothing
  const isLate = order.orderState === 'closed'
  const due = items.filter(({ state, isHeld }) => !isHeld && (isUndelivered(state) || (isLate && state === 'waiting')))
  const byAmountFen = Math.max(0, order.heldFen - sharesIn(items.filter(({ isHeld }) => isHeld)))
  const amountFen = Math.min(order.paidFen - order.heldFen, sharesIn(due) - byAmountFen)
  return amountFen > 0 ? { amountFen, items: due } : nothing
}

const sharesIn = (items: readonly OwingItem[]): number => items.reduce((sum, { shareFen }) => sum + shareFen, 0)
