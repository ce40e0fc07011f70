import { expect, test } from 'vitest'
import { arePicksOf, type FreeLot, pickByExpiry } from './outbound.rules'

const day = { day: '2026-11-20', marginDays: 0 }
const lot = (
  batch: string,
  expiresOn: string | null,
  free: number,
  state: FreeLot['state'] = 'available',
): FreeLot => ({
  batch,
  expiresOn,
  free,
  state,
})
const late = lot('L', '2027-05-01', 10)
const soon = lot('S', '2027-01-01', 3)

test.each([
  ['first expiry goes first', [late, soon], 5, day, { S: 3, L: 2 }],
  ['nothing more than is wanted', [late, soon], 2, day, { S: 2 }],
  ['of which there is less, less', [soon], 5, day, { S: 3 }],
  ['on its last day it may go', [lot('T', '2026-11-20', 4)], 4, day, { T: 4 }],
  ['expired is never taken', [lot('E', '2026-11-19', 9), late], 2, day, { L: 2 }],
  ['nor what its user could not use up', [soon, late], 4, { day: '2026-12-20', marginDays: 30 }, { L: 4 }],
  ['nor locked', [lot('K', '2027-01-01', 9, 'locked'), late], 1, day, { L: 1 }],
  ['nor recalled', [lot('R', '2027-01-01', 9, 'recalled')], 1, day, {}],
  ['nor rejected', [lot('J', '2027-01-01', 9, 'rejected')], 1, day, {}],
  ['what others have picked is not there', [lot('S', '2027-01-01', 0), late], 1, day, { L: 1 }],
  ['goods without a batch go as they are', [lot('', null, 7, null)], 5, day, { '': 5 }],
  ['whose expiry nobody knows goes last', [lot('N', null, 7, null), late], 12, day, { L: 10, N: 2 }],
] as const)('%s', (_, lots, wanted, when, picks) => {
  expect(Object.fromEntries(pickByExpiry(lots, wanted, when).map((pick) => [pick.batch, pick.quantity]))).toEqual(picks)
})

test('of two that expire together the one goes first whose number comes first', () => {
  const lots = [lot('B', '2027-01-01', 2), lot('A', '2027-01-01', 2)]
  expect(pickByExpiry(lots, 3, day)).toEqual([
    { batch: 'A', quantity: 2 },
    { batch: 'B', quantity: 1 },
  ])
  expect(pickByExpiry([lot('B', null, 2), lot('A', null, 2)], 2, day)).toEqual([{ batch: 'A', quantity: 2 }])
})

const wanted = [
  { productId: 1, quantity: 5 },
  { productId: 2, quantity: 1 },
]
const pick = (productId: number, batch: string, quantity: number) => ({ productId, batch, quantity })

test.each([
  [[pick(1, 'A', 3), pick(1, 'B', 2), pick(2, '', 1)], true],
  [[pick(1, 'A', 3)], true],
  [[pick(1, 'A', 3), pick(1, 'A', 2)], false],
  [[pick(1, 'A', 3), pick(1, 'B', 3)], false],
  [[pick(3, 'A', 1)], false],
])('picks %j are of what was asked for: %s', (picks, is) => expect(arePicksOf(wanted, picks)).toBe(is))
