import { describe, expect, test } from 'vitest'
import { bandOf, verdictOf } from './band.rules'

describe('the wins that chance explains', () => {
  test.each([
    // By scipy.stats.binom.ppf of 0.005 and 0.995.
    [0, 0.2, { least: 0, most: 0 }],
    [10, 0.2, { least: 0, most: 6 }],
    [100, 0.2, { least: 10, most: 31 }],
    [1000, 0.25, { least: 215, most: 286 }],
    [50, 0, { least: 0, most: 0 }],
    [50, 1, { least: 50, most: 50 }],
  ])('of %i plays at %d: %o', (plays, odds, band) => expect(bandOf(plays, odds)).toEqual(band))

  test('many plays take the normal distribution, within a win of the exact one', () => {
    const exact = bandOf(20_000, 0.2)
    const normal = bandOf(20_001, 0.2)
    expect(Math.abs(exact.least - normal.least)).toBeLessThanOrEqual(2)
    expect(Math.abs(exact.most - normal.most)).toBeLessThanOrEqual(2)
  })
})

test.each([
  [5, 'tooFew'],
  [10, 'plausible'],
  [31, 'plausible'],
  [32, 'tooMany'],
] as const)('%i wins of 10 to 31 are %s', (wins, verdict) =>
  expect(verdictOf(wins, { least: 10, most: 31 })).toBe(verdict),
)
