import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feeOfAll, sharesOf } from '../fee/fee.rules'

const day = (ratePpm: number, minFen = 0) => ({ ratePpm, basis: 'day' as const, minFen, belowMin: 'raise' as const })

test.each([
  [
    'each order its own where each is charged',
    [1_000, 50],
    { ratePpm: 6_000, basis: 'order' as const, minFen: 1, belowMin: 'raise' as const },
    [6, 1],
  ],
  ['by amount', [1_000, 3_000], day(10_000), [10, 30]],
  ['what rounding leaves to the largest remainder', [100, 200, 300], day(10_000), [1, 2, 3]],
  ['the first of equals', [100, 100, 100], day(13_000), [2, 1, 1]],
  ['nothing for what was given back whole', [0, 500], day(10_000), [0, 5]],
  ['the least fee of the day', [10, 30], day(1, 4), [1, 3]],
  ['none without a rate', [10, 30], day(0, 4), [0, 0]],
  ['none of nothing', [0, 0], day(10_000, 4), [0, 0]],
  ['more than JavaScript multiplies exactly', [90_000_000_000, 1], day(300_000), [27_000_000_000, 0]],
] as const)('a fee is shared: %s', (_, amounts, rule, shares) => {
  expect(sharesOf(amounts, rule)).toEqual(shares)
})

test('shares sum to the fee, none is above its amount, and more kept never bears less', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 2_000_000 }), { maxLength: 60 })
  const rule = fc.record({
    ratePpm: fc.integer({ min: 0, max: 300_000 }),
    basis: fc.constantFrom('order' as const, 'day' as const),
    minFen: fc.integer({ min: 0, max: 10_000 }),
    belowMin: fc.constantFrom('raise' as const, 'waive' as const),
  })
  fc.assert(
    fc.property(amounts, rule, (kept, terms) => {
      const shares = sharesOf(kept, terms)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(feeOfAll(kept, terms).feeFen)
      for (const [at, share] of shares.entries()) expect(share).toBeLessThanOrEqual(kept[at] ?? 0)
      const byAmount = kept.map((fen, at) => ({ fen, share: shares[at] ?? 0 })).sort((a, b) => a.fen - b.fen)
      for (const [at, { share, fen }] of byAmount.entries()) {
        const before = byAmount[at - 1]
        if (before && before.fen < fen) expect(share).toBeGreaterThanOrEqual(before.share)
      }
    }),
  )
})
