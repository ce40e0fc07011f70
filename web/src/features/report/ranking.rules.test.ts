import { expect, test } from 'vitest'
import { measureOf, othersOf, sortOf } from './ranking.rules'

test.each([
  ['paid', 'quantity', { isByCount: false, end: 'most' }],
  ['quantityLeast', 'quantity', { isByCount: true, end: 'least' }],
  ['ordersLeast', 'orders', { isByCount: true, end: 'least' }],
  ['paidLeast', 'orders', { isByCount: false, end: 'least' }],
] as const)('%s of %s reads as it is written', (sort, count, measure) => {
  expect(measureOf(sort, count)).toEqual(measure)
  expect(sortOf(measure, count)).toBe(sort)
})

test('what changed most is neither end', () => {
  expect(measureOf('change', 'orders')).toEqual({ isByCount: false, end: null })
})

test('the others are what is left of the whole', () => {
  const shown = [
    { value: 50, before: 10 },
    { value: 30, before: 60 },
  ]
  expect(othersOf(shown, { value: 100, before: 75, rows: 5 })).toEqual({ value: 20, before: 5, rows: 3 })
  expect(othersOf(shown, { value: 80, before: 70, rows: 2 })).toEqual({ value: 0, before: 0, rows: 0 })
})
