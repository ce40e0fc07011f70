/**
 * What each item's part of the payment is, whichever of them go back: the parts sum to what was paid, exactly.
 * @param prices as they were lowered: of what was paid in full each is its own part
 */
export function sharesOf({ paidFen }: { paidFen: number }, prices: readonly number[]): number[] {
  const totalFen = prices.reduce((sum, price) => sum + price, 0)
  if (totalFen === 0) return prices.map(() => 0)
  // Rounded down on the way, so that no few of them are ever more than their part.
  let before = 0
  return prices.map((price) => {
    const [from, to] = [before, before + price]
    before = to
    return Math.floor((to * paidFen) / totalFen) - Math.floor((from * paidFen) / totalFen)
  })
}
