import type { dryRunPlan } from '@aisle/contract/promotion/plan'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { type Basket, type LivePlan, priceBasket, type Room } from './price.rules'

/** An order as it was, with what its pieces cost the merchant. */
export type PastOrder = { basket: Basket; costFen: number }
export type DryRun = Omit<OutputOf<typeof dryRunPlan>, 'isPartial'>

/**
 * The same orders with a plan and without it, everything else alike: nobody is assumed to buy more for it. Its limits
 * are used up in the order of time; what other plans have left is not counted, nor how often a member has had it.
 */
export function dryRunOf(plan: LivePlan, others: readonly LivePlan[], orders: readonly PastOrder[]): DryRun {
  const free = others
    .filter(({ planId }) => planId !== plan.planId)
    .map((other): LivePlan => ({ ...other, room: { uses: null, fen: null } }))
  let { room } = plan
  const sums = { touched: 0, pieces: 0, forgoneFen: 0, withoutFen: 0, withFen: 0, costFen: 0 }
  for (const { basket, costFen } of orders) {
    const before = priceBasket(basket, free)
    const after = priceBasket(basket, [...free, { ...plan, room }])
    const use = after.uses.find(({ planId }) => planId === plan.planId)
    sums.withoutFen += paidFen(before)
    sums.withFen += paidFen(after)
    sums.costFen += costFen
    if (!use) continue
    room = lessOf(room, use.fen)
    sums.touched += 1
    sums.pieces += after.items.filter(({ steps }) =>
      steps.some(({ kind, reference }) => kind === 'plan' && reference === plan.versionId),
    ).length
    sums.forgoneFen += use.fen
  }
  const { touched, pieces, forgoneFen, withoutFen, withFen, costFen } = sums
  return {
    orders: orders.length,
    touched,
    pieces,
    forgoneFen,
    without: { paidFen: withoutFen, marginFen: withoutFen - costFen },
    with: { paidFen: withFen, marginFen: withFen - costFen },
  }
}

const paidFen = ({ items }: ReturnType<typeof priceBasket>) => items.reduce((sum, { askedFen }) => sum + askedFen, 0)

const lessOf = ({ uses, fen }: Room, given: number): Room => ({
  uses: uses === null ? null : uses - 1,
  fen: fen === null ? null : fen - given,
})
