import { syncOf } from '@aisle/contract/planogram/sync'
import { expect, test } from 'vitest'
import { decideSlot, freeCode, freePositions, isOnlyPrices, staleSlots, unlawfulSlots } from './slot.rules'

const now = { productId: 1, priceFen: 500, capacity: 8, alarmThreshold: 2, choice: 'none', isLocked: false } as const

test.each([
  ['the same wish changes nothing', {}, 'now', { plan: null, next: null, isReplaced: false }],
  ['a price applies', { priceFen: 600 }, 'nextService', { plan: { ...now, priceFen: 600 }, next: null }],
  ['another product now', { productId: 2 }, 'now', { plan: { ...now, productId: 2 }, isReplaced: true }],
  [
    'another product waits with its price and size',
    { productId: 2, priceFen: 700, capacity: 6 },
    'nextService',
    { plan: null, next: { productId: 2, priceFen: 700, capacity: 6 }, isReplaced: false },
  ],
  [
    'what else is wished does not wait',
    { productId: 2, isLocked: true },
    'nextService',
    { plan: { ...now, isLocked: true }, next: { productId: 2, priceFen: 500, capacity: 8 } },
  ],
  ['no product has nothing to wait for', { productId: null }, 'nextService', { next: null, isReplaced: true }],
] as const)('%s', (_, wish, when, expected) => {
  expect(decideSlot(now, { ...now, ...wish }, when)).toMatchObject(expected)
})

const desired = { product: 'P1', priceFen: 500, capacity: 8, isLocked: false }
test.each([
  ['equal', desired, { ...desired, lock: false }, false, 'in_sync', []],
  ['says nothing of locks', desired, { product: 'P1', priceFen: 500, capacity: 8 }, false, 'in_sync', []],
  ['another price', desired, { ...desired, priceFen: 450, lock: false }, false, 'differs', ['priceFen']],
  ['another price, told', desired, { ...desired, priceFen: 450, lock: false }, true, 'pending', ['priceFen']],
  [
    'another product and lock',
    desired,
    { ...desired, product: 'P2', lock: true },
    false,
    'differs',
    ['product', 'isLocked'],
  ],
  ['never spoken of', desired, undefined, false, 'unknown', []],
  ['never spoken of, told', desired, undefined, true, 'pending', []],
  [
    'empty here and there, whatever the price was',
    { ...desired, product: null, priceFen: null },
    { product: null, priceFen: 300, capacity: 5 },
    false,
    'in_sync',
    [],
  ],
] as const)('desired and reported: %s', (_, want, reported, isPushed, state, fields) => {
  const sync = syncOf(want, reported, isPushed)
  expect([sync.state, sync.differences.map(({ field }) => field)]).toEqual([state, fields])
})

test('what the licence forbids is named with its reason', () => {
  const [cola, mild, strong] = [null, 'otc_b' as const, 'rx' as const].map((medicineClass) => ({ medicineClass }))
  const slots = [cola, mild, strong].flatMap((each) => each ?? [])
  expect(unlawfulSlots('hospital', slots)).toEqual([])
  expect(unlawfulSlots('retail', slots)).toEqual([{ slot: strong, reason: expect.any(String) }])
  expect(unlawfulSlots('none', slots).map(({ slot }) => slot)).toEqual([mild, strong])
})

test('only rows that are wanted and were saved since they were read are stale', () => {
  const rows = [
    { code: 'A01', version: 2 },
    { code: 'A02', version: 5 },
    { code: 'A03', version: 9 },
  ]
  const wanted = [
    { code: 'A01', version: 2 },
    { code: 'A02', version: 4 },
  ]
  expect(staleSlots(rows, wanted).map(({ code }) => code)).toEqual(['A02'])
})

test('a layer has ten places, filled from the left; a code is never given twice', () => {
  const slots = [1, 2, 4].map((position) => ({ layer: 1, position }))
  expect(freePositions(slots, 1, 3)).toEqual([3, 5, 6])
  expect(freePositions(slots, 1, 8)).toBeNull()
  expect(freePositions(slots, 2, 10)).toHaveLength(10)
  expect(freeCode(new Set(['A01']), 2, 10)).toBe('B10')
  expect(freeCode(new Set(['B10', 'B10-2']), 2, 10)).toBe('B10-3')
})

test('prices alone are pushed alone', () => {
  expect(isOnlyPrices([['priceFen'], ['priceFen']])).toBe(true)
  expect(isOnlyPrices([['priceFen'], ['priceFen', 'capacity']])).toBe(false)
  expect(isOnlyPrices([])).toBe(false)
})
