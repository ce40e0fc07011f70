import { expect, test } from 'vitest'
import { ninetieth, rateOf, sumOver, targetOf, usualOf } from './forecast.rules'

test.each([
  ['sold every day', { sold: 28, exposure: 28 }, 1, 1],
  ['half the time empty, and sold as much while it was not', { sold: 14, exposure: 14 }, 1, 1],
  ['never sold anything, and others do', { sold: 0, exposure: 27 }, 2, 2 / 28],
  ['stands there since today: as others', { sold: 0, exposure: 0 }, 2, 2],
  ['nobody ever had it', { sold: 0, exposure: 0 }, null, null],
] as const)('a slot that %s', (_, held, usual, rate) => {
  const found = rateOf(held, usual)
  if (rate === null) expect(found).toBeNull()
  else expect(found).toBeCloseTo(rate, 9)
})

test('what is usual is what all sold over all the time in which they could', () => {
  expect(
    usualOf([
      { sold: 9, exposure: 3 },
      { sold: 1, exposure: 7 },
    ]),
  ).toBe(1)
  expect(usualOf([{ sold: 0, exposure: 0 }])).toBeNull()
})

/** Nine in ten of a Poisson distribution, as its tables have them. */
test.each([
  [0, 0],
  [0.1, 0],
  [0.3, 1],
  [1, 2],
  [2, 4],
  [4, 7],
  [6, 9],
  [8, 12],
  [100, 113],
  [400, 426],
])('of a mean of %d nine in ten are at most %d', (mean, most) => {
  expect(ninetieth(mean)).toBe(most)
})

test('a week is summed from the day it begins on', () => {
  const week = [1, 1, 1, 1, 1, 5, 10]
  // A Friday.
  expect(sumOver(week, '2026-11-20', 1)).toBe(1)
  expect(sumOver(week, '2026-11-20', 3)).toBe(16)
  expect(sumOver(week, '2026-11-20', 16)).toBe(2 * 20 + 6)
  expect(sumOver(week, '2026-11-20', 0)).toBe(0)
})

test.each([
  ['lasts until the next visit', 10, 2, 3, 9],
  ['never more than there is room for', 6, 2, 3, 6],
  ['nothing of what nobody buys', 10, 0, 3, 0],
  ['filled up once where nobody ever had it', 10, null, 3, 10],
] as const)('a slot should hold: %s', (_, capacity, rate, coverDays, pieces) => {
  expect(targetOf(capacity, rate, coverDays)).toBe(pieces)
})
