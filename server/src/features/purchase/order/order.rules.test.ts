import { purchaseOrderState } from '@aisle/contract/purchase/order'
import { expect, test } from 'vitest'
import { dueFrom, marksOf, mostOf, needsSecond, priceOf, taxIn, totalOf, verbAfter } from './order.rules'

const prices = [
  { fromOn: '2026-01-01', toOn: null, fromPacks: 1, priceFen: 1000 },
  { fromOn: '2026-01-01', toOn: null, fromPacks: 10, priceFen: 900 },
]

test.each([
  [
    { packs: 1, typedFen: null },
    { priceFen: 1000, listFen: 1000 },
  ],
  [
    { packs: 10, typedFen: null },
    { priceFen: 900, listFen: 900 },
  ],
  [
    { packs: 10, typedFen: 950 },
    { priceFen: 950, listFen: 900 },
  ],
  [{ packs: 1, typedFen: null, day: '2025-12-31' }, null],
  [
    { packs: 1, typedFen: 7, day: '2025-12-31' },
    { priceFen: 7, listFen: null },
  ],
] as const)('a line of %j costs %j', (asked, price) => {
  expect(priceOf(prices, { day: '2026-11-20', ...asked })).toEqual(price)
})

test.each([
  [11_300, 130, 1_300],
  [10_000, 130, 1_150],
  [100, 0, 0],
  [1, 130, 0],
])('of %i fen at %i permille, %i are tax', (amount, permille, tax) => {
  expect(taxIn(amount, permille)).toBe(tax)
})

test.each([
  [200_000, 0, false],
  [200_001, 0, true],
  [100_000, 100_001, true],
  [100_000, 100_000, false],
])('an order of %i after %i of that day needs another person: %s', (totalFen, passedTodayFen, expected) => {
  expect(needsSecond({ totalFen, passedTodayFen, limitFen: 200_000 })).toBe(expected)
})

test.each([
  [100, 0, 100],
  [100, 5, 105],
  [19, 5, 19],
  [20, 5, 21],
])('of %i pieces with %i %% above them, %i may come', (pieces, percent, most) => {
  expect(mostOf(pieces, percent)).toBe(most)
})

test.each([
  [{}, []],
  [{ packs: 1 }, ['belowMinimum']],
  [{ priceFen: 11 }, ['dearer']],
  [{ packs: 1, priceFen: 11 }, ['belowMinimum', 'dearer']],
  [{ priceFen: 11, listFen: null }, []],
] as const)('a line that differs by %j is marked %j', (more, marks) => {
  expect(marksOf({ packs: 2, minimumPacks: 2, priceFen: 10, listFen: 10, ...more })).toEqual(marks)
})

test.each([
  ['sent', [0, 0], null],
  ['sent', [1, 0], 'comePartly'],
  ['sent', [10, 5], 'comeWhole'],
  ['sent', [12, 5], 'comeWhole'],
  // More of one does not make up for what is missing of another.
  ['sent', [15, 0], 'comePartly'],
  ['partly', [10, 0], null],
  ['partly', [10, 5], 'comeWhole'],
  ['partly', [0, 0], 'goBack'],
  ['received', [10, 4], 'comePartly'],
  ['received', [0, 0], 'goBack'],
  ['closed', [0, 0], null],
  ['closed', [10, 5], null],
] as const)('an order that is %s with %j taken in: %s', (state, [first, second], verb) => {
  const lines = [
    { pieces: 10, received: first },
    { pieces: 5, received: second },
  ]
  expect(verbAfter(state, lines)).toBe(verb)
})

test('every state can be reached; a total and a day follow from the lines', () => {
  expect(purchaseOrderState.unreachable()).toEqual([])
  expect(
    totalOf([
      { packs: 3, priceFen: 100 },
      { packs: 1, priceFen: 5 },
    ]),
  ).toBe(305)
  expect(dueFrom('2026-11-20', [3, 14])).toBe('2026-12-04')
})
