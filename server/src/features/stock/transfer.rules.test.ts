import { mayStore } from '@aisle/contract/stock/warehouse'
import { expect, test } from 'vitest'
import { faultOfLines, lostOf } from './transfer.rules'

const goods = { productId: 1, batch: '', storage: null }
const medicine = { productId: 2, batch: 'B1', storage: 'cold' }

test.each([
  [[goods, medicine], null],
  [[medicine, { ...medicine, batch: 'B2' }], null],
  [[goods, goods], 'transfer.twice'],
  [[medicine, medicine], 'transfer.twice'],
  [[{ ...medicine, batch: '' }], 'transfer.batch'],
  // A batch that the books of goods do not keep would lead to nothing.
  [[{ ...goods, batch: 'B1' }], 'transfer.batch'],
])('lines of %j: %s', (lines, fault) => expect(faultOfLines(lines)).toBe(fault))

const sent = [
  { line: 1, quantity: 10 },
  { line: 2, quantity: 5 },
]
const arrived = (...counts: [number, number][]) => counts.map(([line, count]) => ({ line, arrived: count }))

test.each([
  [arrived([1, 10], [2, 5]), [0, 0]],
  [arrived([2, 0], [1, 9]), [1, 5]],
  [arrived([1, 10]), null],
  [arrived([1, 11], [2, 5]), null],
  [arrived([1, 10], [1, 10]), null],
  [arrived([1, 10], [3, 5]), null],
  [arrived([1, 10], [2, 5], [3, 1]), null],
])('of what arrived as %j is missing %j', (counted, lost) => {
  const found = lostOf(sent, counted)
  expect(found && [...found.values()]).toEqual(lost)
})

test.each([
  ['cold', 'cold', true],
  ['cold', 'cool', false],
  ['cool', 'cool', true],
  ['cool', 'room', false],
  ['room', 'room', true],
  ['room', 'cool', true],
  ['room', 'cold', false],
  ['room', 'frozen', false],
] as const)('medicine kept %s lies in a warehouse kept %s: %s', (label, kept, is) => {
  expect(mayStore(label, kept)).toBe(is)
})
