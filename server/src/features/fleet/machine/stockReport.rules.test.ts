import { expect, test } from 'vitest'
import { stockDrift } from './stockReport.rules'

test.each([
  ['as it said', 9, 9, 0, 0],
  ['sold since it spoke, which both know', 7, 9, -2, 0],
  ['filled since', 14, 9, 5, 0],
  ['counted here, the machine was not told', 5, 9, 0, -4],
  ['counted here and sold since', 4, 9, -1, -4],
  ['never spoken of', 5, null, -1, null],
] as const)('books against the machine: %s', (_, stock, reported, movedSince, expected) => {
  expect(stockDrift(stock, reported, movedSince)).toBe(expected)
})
