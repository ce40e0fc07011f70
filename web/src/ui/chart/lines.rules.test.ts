import { expect, test } from 'vitest'
import { aligned, placesBetween, valueNear, roundStep } from './lines.rules'

const points = (...all: [at: number, value: number][]) => all.map(([at, value]) => ({ at, value }))

test('a silence parts the line', () => {
  expect(aligned([points([0, 1], [10, 2], [50, 3])], 10)).toEqual({ at: [0, 10, 30, 50], values: [[1, 2, null, 3]] })
})

test('lines with times of their own share the axis, and neither parts the other', () => {
  const both = aligned([points([0, 1], [10, 2]), points([5, 7])], 10)
  expect(both).toEqual({
    at: [0, 5, 10],
    values: [
      [1, undefined, 2],
      [undefined, 7, undefined],
    ],
  })
  expect([valueNear(both, 0, 1), valueNear(both, 1, 2), valueNear(both, 2, 0)]).toEqual([1, 7, null])
})

test('in a gap a line says nothing', () => {
  expect(valueNear(aligned([points([0, 1], [50, 3])], 10), 0, 1)).toBeNull()
})

test.each([
  [-0.5, 23.5, 6, [0, 4, 8, 12, 16, 20]],
  [-0.5, 2.5, 6, [0, 1, 2]],
  [3.2, 3.8, 6, []],
])('marks from %d to %d, at most %d', (from, to, most, marks) => {
  expect(placesBetween(from, to, most)).toEqual(marks)
})

test.each([
  [1, 0.2],
  [5, 1],
  [7, 2],
  [100, 20],
  [101, 50],
  [12_345_678, 5_000_000],
])('up to %d a line stands every %d', (most, step) => {
  expect(roundStep(most)).toBeCloseTo(step, 10)
})
