import { expect, test } from 'vitest'
import { niceTop } from './hours.rules'

const tops: [most: number, top: number][] = [
  [0, 100],
  [100, 100],
  [101, 200],
  [480_000, 500_000],
  [500_001, 1_000_000],
]
test.each(tops)('columns up to %i fit a scale to %i', (most, top) => expect(niceTop(most)).toBe(top))
