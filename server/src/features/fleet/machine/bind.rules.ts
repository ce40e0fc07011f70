import type { BindOutcome } from '@aisle/contract/fleet/machineBatch'

/** Merchants by their ids; a path is a merchant with those above it. */
export type Bound = {
  merchantId: number
  path: readonly number[]
  isRetired: boolean
  pointId: number
  pointOwner: number
  routeId: number | null
  operatorId: number | null
  hasOpenOrders: boolean
  /** Of the products in its slots. */
  goodsOwners: readonly number[]
}

type Thing = { id: number; owner: number }
export type Wanted = {
  point?: Thing
  route?: Thing
  operator?: Thing
  merchant?: { id: number; path: readonly number[] }
}

/**
 * A machine stands at, and is run by, what belongs to its merchant or to one above it. It goes to another merchant with
 * its goods, so that merchant must have these products; and not while an order is under way, which is money of the old
 * one.
 */
export function bindOutcome(machine: Bound, wanted: Wanted): Exclude<BindOutcome, 'gone'> {
  if (machine.isRetired) return 'retired'
  const moves = wanted.merchant !== undefined && wanted.merchant.id !== machine.merchantId
  const path = wanted.merchant?.path ?? machine.path
  const fits = ({ owner }: { owner: number }) => path.includes(owner)
  const things = [wanted.point, wanted.route, wanted.operator].filter((each) => each !== undefined)
  if (!things.every(fits)) return 'otherMerchant'
  if (moves && !wanted.point && !fits({ owner: machine.pointOwner })) return 'otherMerchant'
  if (moves && machine.hasOpenOrders) return 'openOrders'
  if (moves && !machine.goodsOwners.every((owner) => path.includes(owner))) return 'otherGoods'
  return moves || changes(machine, wanted) ? 'done' : 'same'
}

const changes = (machine: Bound, { point, route, operator }: Wanted): boolean =>
  (point !== undefined && point.id !== machine.pointId) ||
  (route !== undefined && route.id !== machine.routeId) ||
  (operator !== undefined && operator.id !== machine.operatorId)
