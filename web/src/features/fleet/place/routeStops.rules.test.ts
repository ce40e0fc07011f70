import { expect, test } from 'vitest'
import { isSameOrder, moved } from './routeStops.rules'

test.each([
  ['down', 0, 2, 'bcad'],
  ['up', 3, 1, 'adbc'],
  ['to its own place', 1, 1, 'abcd'],
  ['above the first', 0, -1, 'abcd'],
  ['below the last', 3, 4, 'abcd'],
])('a stop moves %s', (_, from, to, wanted) => {
  expect(moved([...'abcd'], from, to).join('')).toBe(wanted)
})

test('the same machines in another order are another order', () => {
  const ids = (...all: number[]) => all.map((id) => ({ id }))
  expect(isSameOrder(ids(1, 2), ids(1, 2))).toBe(true)
  expect(isSameOrder(ids(1, 2), ids(2, 1))).toBe(false)
  expect(isSameOrder(ids(1, 2), ids(1, 2, 3))).toBe(false)
})
