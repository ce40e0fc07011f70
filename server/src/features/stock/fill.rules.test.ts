import { expect, test } from 'vitest'
import { type BagLot, countsOf, partsOfFill } from './fill.rules'

const goods = (quantity: number): BagLot[] => [{ batch: '', expiresOn: null, quantity }]
const medicine = (): BagLot[] => [
  { batch: 'LATE', expiresOn: '2028-01-01', quantity: 4 },
  { batch: 'SOON', expiresOn: '2027-01-01', quantity: 3 },
]

test.each([
  ['no bag', 5, null, [], [['unbooked', null, 5]]],
  ['enough in it', 5, null, goods(8), [['bag', null, 5]]],
  ['just enough', 5, null, goods(5), [['bag', null, 5]]],
  [
    'too few in it',
    5,
    null,
    goods(2),
    [
      ['bag', null, 2],
      ['unbooked', null, 3],
    ],
  ],
  ['none left in it', 5, null, goods(0), [['unbooked', null, 5]]],
  [
    'goods of a batch that the machine names',
    5,
    'X',
    goods(2),
    [
      ['bag', 'X', 2],
      ['unbooked', 'X', 3],
    ],
  ],
  ['the batch that it names', 3, 'LATE', medicine(), [['bag', 'LATE', 3]]],
  [
    'more of a batch than is in it',
    5,
    'SOON',
    medicine(),
    [
      ['bag', 'SOON', 3],
      ['unbooked', 'SOON', 2],
    ],
  ],
  ['a batch that is not in it', 2, 'OTHER', medicine(), [['unbooked', 'OTHER', 2]]],
  [
    'no batch named: what expires first',
    5,
    null,
    medicine(),
    [
      ['bag', 'SOON', 3],
      ['bag', 'LATE', 2],
    ],
  ],
  [
    'no batch named, and more than all',
    9,
    null,
    medicine(),
    [
      ['bag', 'SOON', 3],
      ['bag', 'LATE', 4],
      ['unbooked', null, 2],
    ],
  ],
] as const)('%s', (_, wanted, batch, lots, parts) => {
  const given = lots.map((lot) => ({ ...lot }))
  const found = partsOfFill(wanted, batch, given)
  expect(found.map((part) => [part.from, part.batch, part.quantity])).toEqual(parts)
  expect(found.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(wanted)
  expect(given.every(({ quantity }) => quantity >= 0)).toBe(true)
})

test.each([
  ['2026-12-31', 'bag'],
  ['2027-01-01', 'bag'],
  ['2027-01-02', 'unbooked'],
] as const)('filled on %s without a batch, what expires on New Year comes from the %s', (day, from) => {
  const lots = [{ batch: 'SOON', expiresOn: '2027-01-01', quantity: 1 }]
  expect(partsOfFill(1, null, lots, day).map((part) => part.from)).toEqual([from])
})

test('whose expiry nobody knows is given on any day', () => {
  expect(partsOfFill(1, null, goods(1), '2027-01-02')).toEqual([{ from: 'bag', batch: null, quantity: 1 }])
})

test('the next fill finds what the one before it left', () => {
  const lots = medicine()
  partsOfFill(2, 'SOON', lots)
  expect(partsOfFill(2, 'SOON', lots)).toEqual([
    { from: 'bag', batch: 'SOON', quantity: 1 },
    { from: 'unbooked', batch: 'SOON', quantity: 1 },
  ])
})

test('what was counted is spread over the parts, and what does not come out shows at the last', () => {
  const parts = partsOfFill(5, null, goods(2))
  expect(countsOf(parts, { beforePieces: 1, afterPieces: 5 })).toEqual([
    { beforePieces: 1, afterPieces: 3 },
    { beforePieces: 3, afterPieces: 5 },
  ])
  expect(countsOf(parts, {})).toEqual([{}, {}])
  expect(countsOf(parts, { beforePieces: 1 })).toEqual([{}, {}])
  expect(countsOf(parts, { afterPieces: 5 })).toEqual([{}, {}])
})
