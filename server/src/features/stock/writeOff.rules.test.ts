import { expect, test } from 'vitest'
import { costOfPart, faultOfAsked, totalsOf } from './writeOff.rules'

const line = { placeId: 1, productId: 2, batch: 'A', quantity: 3 }

test.each([
  ['expired', [], [line], null],
  ['damaged', [], [line], 'writeOff.picture'],
  ['damaged', ['/pictures/a.jpg'], [line], null],
  ['missing', [], [line, { ...line, quantity: 1 }], 'writeOff.twice'],
  ['missing', [], [line, { ...line, batch: '' }, { ...line, placeId: 3 }], null],
] as const)('%s with %j of %j: %s', (why, pictures, lines, fault) => {
  expect(faultOfAsked({ why, pictures }, lines)).toBe(fault)
})

test.each([
  [{ quantity: 3, costFen: 1000 }, 3, 1000],
  [{ quantity: 3, costFen: 1000 }, 1, 333],
  [{ quantity: 3, costFen: 1000 }, 2, 667],
  [{ quantity: 5, costFen: 0 }, 2, 0],
])('of %j %i cost %i', (there, pieces, costFen) => {
  expect(costOfPart(there, pieces)).toBe(costFen)
})

test('what one asks for counts together by merchant', () => {
  const rows = [
    { merchantId: 1, costFen: 10 },
    { merchantId: 2, costFen: 5 },
    { merchantId: 1, costFen: 7 },
  ]
  expect([...totalsOf(rows)]).toEqual([
    [1, 17],
    [2, 5],
  ])
})
