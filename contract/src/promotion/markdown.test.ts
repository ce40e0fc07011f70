import { expect, test } from 'vitest'
import type { MedicineClass } from '../catalog/product'
import { isMarkdownLawful, markedDownFen } from './markdown'

test.each<[number, number, number]>([
  [1000, 80, 800],
  [999, 85, 849],
  // Part of a fen is not asked for.
  [150, 99, 148],
  [10, 85, 8],
  [10, 84, 8],
  [1, 50, 1],
  // Never free.
  [1, 1, 1],
  [49, 1, 1],
  [10_000_000, 99, 9_900_000],
])('%i fen at %i %% is %i fen', (list, percent, expected) => expect(markedDownFen(list, percent)).toBe(expected))

test.each<[MedicineClass | null, boolean]>([
  [null, true],
  ['otc_b', true],
  ['otc_a', false],
  ['rx', false],
])('a lower price for %s is lawful: %s', (medicineClass, expected) =>
  expect(isMarkdownLawful(medicineClass)).toBe(expected),
)
