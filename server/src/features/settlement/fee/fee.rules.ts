const MILLION = 1_000_000

/**
 * What is taken of an amount; `order` rounds each order, `day` once the total of the day. What is less than the least
 * is raised to it, or not taken.
 */
export type FeeRule = { ratePpm: number; basis: 'order' | 'day'; minFen: number; belowMin: 'raise' | 'waive' }
type Terms = Pick<FeeRule, 'ratePpm' | 'minFen' | 'belowMin'>
export type Fee = {
  feeFen: number
  /** What rounding and the least fee gave beyond the exact share, in millionths of a fen; below 0 is what they cost. */
  roundingUfen: number
}

/** Specification §9: half a fen counts as one; something is never charged on nothing. */
export function feeOn(amountFen: number, { ratePpm, minFen, belowMin }: Terms): Fee {
  if (amountFen <= 0) return { feeFen: 0, roundingUfen: 0 }
  const exactUfen = amountFen * ratePpm
  const rounded = Math.floor((exactUfen + MILLION / 2) / MILLION)
  // Where no rate is agreed there is no least fee either, and no fee is more than there is.
  const isWaived = ratePpm === 0 || (belowMin === 'waive' && exactUfen < minFen * MILLION)
  const feeFen = isWaived ? 0 : Math.min(amountFen, Math.max(minFen, rounded))
  return { feeFen, roundingUfen: feeFen * MILLION - exactUfen }
}

/** The fee of a day's orders. @param amounts what was kept of each after its refunds */
export const feeOfAll = (amounts: readonly number[], rule: FeeRule): Fee =>
  feeOfCounted(
    amounts.map((fen) => ({ fen, count: 1 })),
    rule,
  )

/**
 * What each order bears of their fee (docs/decisions/0067): its own where each was charged; of a fee on the day's total
 * its part by what was kept of it, the fen that rounding leaves going to the largest remainders, the first of equals.
 */
export function sharesOf(amounts: readonly number[], rule: FeeRule): number[] {
  if (rule.basis === 'order') return amounts.map((fen) => feeOn(fen, rule).feeFen)
  const total = amounts.reduce((sum, fen) => sum + fen, 0)
  const { feeFen } = feeOn(total, rule)
  if (feeFen === 0) return amounts.map(() => 0)
  // Both factors may be large: their product is no whole number of JavaScript's any more.
  const exact = amounts.map((fen) => BigInt(fen) * BigInt(feeFen))
  const shares = exact.map((part) => Number(part / BigInt(total)))
  const left = feeFen - shares.reduce((sum, share) => sum + share, 0)
  const remainders = exact.map((part, at) => ({ at, rest: part % BigInt(total) }))
  remainders.sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1))
  for (const { at } of remainders.slice(0, left)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}

/** The fee, of amounts that were kept so many times each. */
export function feeOfCounted(amounts: readonly { fen: number; count: number }[], rule: FeeRule): Fee {
  const total = amounts.reduce((sum, { fen, count }) => sum + fen * count, 0)
  const charged = rule.basis === 'order' ? amounts : [{ fen: total, count: 1 }]
  const fees = charged.map(({ fen, count }) => ({ ...feeOn(fen, rule), count }))
  return {
    feeFen: fees.reduce((sum, { feeFen, count }) => sum + feeFen * count, 0),
    roundingUfen: fees.reduce((sum, { roundingUfen, count }) => sum + roundingUfen * count, 0),
  }
}

/**
 * Refunds of orders that were settled before, oldest first, as far as what the merchant gets and has covers them: what
 * may be withdrawn never falls below zero. The others wait for the next settlement.
 */
export function affordable<R extends { amountFen: number }>(refunds: readonly R[], coverFen: number): R[] {
  const taken: R[] = []
  let left = coverFen
  for (const refund of refunds) {
    if (refund.amountFen > left) break
    left -= refund.amountFen
    taken.push(refund)
  }
  return taken
}
