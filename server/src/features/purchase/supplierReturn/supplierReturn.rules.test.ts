import { expect, test } from 'vitest'
import { type Source, takenFrom } from './supplierReturn.rules'

const source = (receiptId: number, counted: number, costFen: number, returned = 0): Source => {
  return { receiptId, line: 1, counted, costFen, returned }
}
const shown = (sources: readonly Source[], quantity: number) =>
  takenFrom(sources, quantity)?.map((each) => [each.receiptId, each.quantity, each.costFen]) ?? null

test.each([
  ['the whole of a receipt', [source(1, 3, 1000)], 3, [[1, 3, 1000]]],
  ['part of it', [source(1, 3, 1000)], 1, [[1, 1, 333]]],
  ['the rest of it takes what is left of its cost', [source(1, 3, 1000, 1)], 2, [[1, 2, 667]]],
  [
    'two receipts',
    [source(2, 4, 400), source(1, 10, 3000)],
    6,
    [
      [2, 4, 400],
      [1, 2, 600],
    ],
  ],
  ['one that went back is passed over', [source(2, 4, 400, 4), source(1, 10, 3000)], 1, [[1, 1, 300]]],
  ['more than came', [source(1, 3, 1000, 1)], 3, null],
  ['nothing came', [], 1, null],
] as const)('%s', (_, sources, quantity, taken) => {
  expect(shown(sources, quantity)).toEqual(taken)
})
