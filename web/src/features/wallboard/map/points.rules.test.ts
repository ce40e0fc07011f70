import { expect, test } from 'vitest'
import { lookOf, nearest, numbered } from './points.rules'
import type { Spot } from '../../../ui/chart/projection'

const spots: Spot[] = [
  [100, 100],
  [104, 100],
  [300, 300],
]

test('the newest point is the largest, and none is larger than a newer one', () => {
  expect(lookOf(0).radius).toBeGreaterThan(lookOf(1).radius)
  for (let position = 1; position < 80; position += 1) {
    expect(lookOf(position).radius).toBeLessThanOrEqual(lookOf(position - 1).radius)
    expect(lookOf(position).alpha).toBeLessThanOrEqual(lookOf(position - 1).alpha)
  }
})

const pointers: [fact: string, pointer: Spot, found: number | null][] = [
  ['the nearest is found', [105, 100], 1],
  ['of two equally near the newer', [102, 100], 0],
  ['beyond reach nothing', [200, 200], null],
]
test.each(pointers)('under the pointer %s', (_, pointer, found) => expect(nearest(spots, pointer, 20)).toBe(found))

test('numbers do not cover each other; the newer keeps its own', () => {
  expect(numbered(spots, 9, 30)).toEqual([0, 2])
  expect(numbered(spots, 1, 30)).toEqual([0])
})
